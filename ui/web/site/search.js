// The search over all documents, by section. make.py puts the index (lunr) and the list of sections before this.
(() => {
  const index = lunr.Index.load(switchyardSearchIndex.index);
  const sections = switchyardSearchIndex.sections;

  // Returns up to 12 sections: { address, title, page }. The last word may be incomplete.
  window.switchyardSearch = (words) => {
    const terms = words.toLowerCase().split(/[^\p{L}\p{N}_.]+/u).filter(Boolean);
    const found = index.query((query) => {
      terms.forEach((term, i) => {
        query.term(lunr.tokenizer(term), { boost: 10 });
        if (i === terms.length - 1) query.term(term, { wildcard: lunr.Query.wildcard.TRAILING, usePipeline: false });
        if (term.length > 4) query.term(term, { editDistance: 1, boost: 0.1 });
      });
    });
    return found.slice(0, 12).map(({ ref }) => {
      const [address, title, page] = sections[ref];
      return { address, title, page };
    });
  };
})();
