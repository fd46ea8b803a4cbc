/**
 * The headings that tell what a section of a page is for. Those of other pages are known in English and in Portuguese: of thirteen
 * languages only these two changed a page that was measured.
 */

const OTHER_PAGES_PHRASES = [
  String.raw`you( may| might|['’]ll| will)( also)? (like|love|enjoy|be interested in)( too| as well)?|(related|similar) (products?|items?|articles?|posts?|stories|threads?|topics?|questions|discussions|content|reading|resources|news|guides|recipes|videos|searches|listings|jobs|courses|events|properties|books|pages|links)|(recommended|suggested) (products?|items?|articles?|posts?|stories|threads?|topics?|questions|discussions)|other (products?|items?|articles?|posts?|stories|threads?)|recently (viewed|browsed)( products| items)?|(recommended|suggested)( for you)?|customers (who|also) .{3,60}|(shoppers|others|people) (who .{3,40} )?also (viewed|bought|liked|searched for|purchased).{0,30}|more (like this|(from|by) (this|the same|our|your) .{2,30}|to (explore|read|love)|products|articles|stories|posts)|(shop|view|see|explore|discover) (similar|related)( .{2,30})?|(read|up|what to read) next|keep reading|frequently bought together|(pairs|goes) (well|great|best) with|(pair|wear|style) (it )?with|complete (the|your) (look|set|outfit|kit)|shop the look|sponsored( products| content| links| items)?`,
  String.raw`(você )?(também )?(pode|poderá|podes) (também )?(gostar|se interessar|estar interessado)( de| por| em)?|talvez (você )?(também )?goste|(produtos|artigos|posts?|postagens|notícias|temas|perguntas) (relacionad[oa]s|similares|semelhantes|recomendad[oa]s)|vistos recentemente|quem (viu|comprou),? .{0,30}(também|comprou|viu).{0,20}|(leia|veja) (também|mais)|recomendado para você|comprados juntos`,
];
/** A number of reviews, and a colon or dots, may follow. */
const END = String.raw`( ?[(（]\d[\d,.]*[^)）]{0,3}[)）])?\s*([:：…?？]|\.{3})?$`;

const headingOf = (...phrases: readonly string[]): RegExp =>
  new RegExp(String.raw`^[\d.,+\s]*(?:${phrases.join('|')})${END}`, 'i');

/** Matches the whole heading of a section of other pages. */
export const OTHER_PAGES = headingOf(...OTHER_PAGES_PHRASES);
/** The same for what stands beside an article. Their words are everyday ones: they tell only together with what stands below. */
export const BESIDE_ARTICLES = headingOf(
  ...OTHER_PAGES_PHRASES,
  'most (read|popular|viewed|shared|discussed)( (news|stories|posts|articles|videos))?|(top|latest|trending|popular|recent|featured) (news|stories|posts|articles|headlines|videos)|(trending|popular) now',
);
/** A longer heading tells more than what kind of section it begins. */
export const MAX_HEADING_CHARACTERS = 120;

/** Matches the whole heading of what a text refers to. */
export const SOURCES =
  /^(?:(foot|end)?notes|(notes and )?references|sources|bibliography|works cited|citations|literature|further reading|external links|links|einzelnachweise|quellen(angaben)?|fußnoten|anmerkungen|literatur|weblinks|nachweise|références|notes et références|bibliographie|fuentes|referencias|notas|bibliografía|referências|fontes|note|fonti|riferimenti|bronnen|referenties|źródła|przypisy|bibliografia|источники|примечания|литература|джерела|примітки|література|kaynaklar|kaynakça|参考文献|脚注|出典|参考资料)$/i;
