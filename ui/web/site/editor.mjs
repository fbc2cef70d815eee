// The editor of the page "Write a scheduler": CodeMirror with Lua, errors at their lines, and a marked line.
import { StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import { lua } from '@codemirror/legacy-modes/mode/lua';
import { lintGutter, setDiagnostics } from '@codemirror/lint';
import { EditorState, StateEffect, StateField } from '@codemirror/state';
import { Decoration, EditorView } from '@codemirror/view';
import { classHighlighter } from '@lezer/highlight';
import { basicSetup } from 'codemirror';

const markLine = StateEffect.define();
const markedLine = StateField.define({
  create: () => Decoration.none,
  update(marks, transaction) {
    for (const effect of transaction.effects) {
      if (!effect.is(markLine)) continue;
      if (effect.value === null) return Decoration.none;
      const line = transaction.state.doc.line(effect.value.number);
      return Decoration.set([Decoration.line({ class: effect.value.isError ? 'cm-marked cm-error' : 'cm-marked' }).range(line.from)]);
    }
    return transaction.docChanged ? Decoration.none : marks;
  },
  provide: (field) => EditorView.decorations.from(field),
});

const theme = EditorView.theme({
  '&': { height: '26em', border: '1px solid var(--edge)', borderRadius: '4px', fontSize: '14px', backgroundColor: 'var(--paper)', color: 'var(--ink)' },
  '&.cm-focused': { outline: '3px solid var(--focus)' },
  '.cm-scroller': { fontFamily: '"DejaVu Sans Mono", Menlo, Consolas, monospace' },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-gutters': { backgroundColor: 'var(--soft)', color: 'var(--dim)', borderRight: '1px solid var(--line)' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--soft)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-marked': { backgroundColor: 'var(--tint)', boxShadow: 'inset 4px 0 0 var(--live)' },
  // The colours of code in the documents, which follow the theme of the page.
  '.tok-keyword': { color: 'var(--keyword)' },
  '.tok-string, .tok-string2': { color: 'var(--string)' },
  '.tok-number, .tok-bool, .tok-atom': { color: 'var(--number)' },
  '.tok-comment': { color: 'var(--remark)', fontStyle: 'italic' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': { backgroundColor: 'var(--hover)' },
  '.cm-error': { backgroundColor: 'var(--soft)', boxShadow: 'inset 4px 0 0 var(--bad)' },
  '.cm-tooltip': { backgroundColor: 'var(--paper)', color: 'var(--ink)', border: '1px solid var(--edge)' },
});

// `parent`: the element that the editor fills. The editor is in a shadow root: there, CodeMirror needs no style elements, which the
// content security policy of the pages forbids. `changed()` is called after each edit.
window.SwitchyardEditor = class {
  constructor(parent, text, label, changed) {
    const root = parent.attachShadow({ mode: 'open' });
    this.view = new EditorView({
      root, parent: root,
      state: EditorState.create({ doc: text, extensions: [
        basicSetup, StreamLanguage.define(lua), lintGutter(), markedLine, theme, syntaxHighlighting(classHighlighter),
        EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
        EditorView.updateListener.of((update) => { if (update.docChanged) changed(); }),
      ] }),
    });
  }

  get text() { return this.view.state.doc.toString(); }

  set text(text) { this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text } }); }

  // problems: [{ line, column, message }], numbered from 1
  showProblems(problems) {
    const { doc } = this.view.state;
    this.view.dispatch(setDiagnostics(this.view.state, problems.map(({ line, column, message }) => {
      const place = doc.line(Math.min(Math.max(line, 1), doc.lines));
      const from = Math.min(place.from + Math.max(column - 1, 0), place.to);
      return { from, to: Math.max(from, place.to), severity: 'error', message };
    })));
    if (problems.length > 0) this.mark(problems[0].line, true);
  }

  // Marks a line, and scrolls the editor to it, but not the page; null: no line.
  mark(number, isError = false) {
    if (number !== null && number > this.view.state.doc.lines) return;
    this.view.dispatch({ effects: [markLine.of(number === null ? null : { number, isError })] });
    if (number === null) return;
    const { scrollDOM } = this.view, { top, bottom } = this.view.lineBlockAt(this.view.state.doc.line(number).from);
    if (top < scrollDOM.scrollTop || bottom > scrollDOM.scrollTop + scrollDOM.clientHeight)
      scrollDOM.scrollTop = top - scrollDOM.clientHeight / 2;
  }
};
