// Makes the search's index: node search_index.cjs LUNR < SECTIONS > INDEX. SECTIONS is a list of { title, page, text }.
const lunr = require(process.argv[2]);
const sections = JSON.parse(require('fs').readFileSync(0, 'utf8'));

const index = lunr(function build() {
  this.ref('id');
  this.field('title', { boost: 8 });
  this.field('page', { boost: 4 });
  this.field('text');
  sections.forEach(({ title, page, text }, id) => this.add({ id, title, page, text }));
});
process.stdout.write(JSON.stringify(index));
