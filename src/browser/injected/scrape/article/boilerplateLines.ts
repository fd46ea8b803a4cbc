/**
 * Recognizes lines that belong to the page, not to the article, by common phrases of several languages, independent of
 * single sites.
 */
import { Phrases, type PhraseTable } from '../../signals/phrases.ts';

/** Whole lines. */
const BOILERPLATE_OF: PhraseTable = {
  en: {
    begins:
      'advert adverts advertisement advertisements ad sponsored story article share image media tell comment comments read more related see subscribe sign log login skip this loading print email tweet facebook twitter whatsapp pinterest linkedin source tags filed topics follow our we',
    pattern:
      'advert(isement)?s?|ad|sponsored( content)?|story continues( below)?|article continues( below)?( ad(vertisement)?)?|share( this)?( article| story)?|image copyright|image caption|media caption|media playback is unsupported.*|tell us what you think.*|(\\d+ )?comments?|read more|more|related( (articles?|stories|posts?|content|news))?|see also|subscribe|sign (in|up)|log ?in|skip to (main )?content|this slideshow requires javascript\\.?|loading\\.*|print|email|tweet|facebook|twitter|whatsapp|pinterest|linkedin|source|tags|filed under|topics|follow us.*|(this|our) (web)?site uses cookies.*|we use cookies.*|image \\d+ of \\d+|see tweets?',
  },
  de: {
    begins:
      'anzeige werbung artikel teilen weiter mehr weiterlesen kommentar kommentare drucken anmelden newsletter abonnieren quelle schlagwörter zum folgen',
    pattern:
      'anzeige|werbung|(artikel )?teilen|(weiter|mehr) lesen|weiterlesen|mehr|(\\d+ )?kommentare?|kommentar schreiben|drucken|anmelden|(newsletter )?abonnieren|quelle|schlagwörter|zum inhalt( springen)?|folgen sie uns.*',
  },
  fr: {
    begins:
      "publicité partager lire commentaire commentaires imprimer s'abonner s’abonner se mots-clés mots suivez-nous aller",
    pattern:
      "publicité|partager( (cet |l[’'])article)?|lire (la suite|plus)|(\\d+ )?commentaires?|imprimer|s[’']abonner|se connecter|mots[- ]clés|suivez-nous.*|aller au contenu",
  },
  es: {
    begins:
      'publicidad compartir leer lee comentario comentarios imprimir suscríbete iniciar fuente etiquetas síguenos saltar',
    pattern:
      'publicidad|compartir|(leer|lee) más|(\\d+ )?comentarios?|imprimir|suscríbete|iniciar sesión|fuente|etiquetas|síguenos.*|saltar al contenido',
  },
  pt: {
    begins:
      'publicidade continua compartilhe compartilhar partilhar ler leia comentário comentários imprimir assine fonte siga-nos pular',
    pattern:
      'publicidade|continua (depois|após) da publicidade|compartilh(e|ar)|partilhar|(ler|leia) mais|(\\d+ )?comentários?|imprimir|assine|fonte|siga-nos.*|pular para o conteúdo',
  },
  it: {
    begins: 'pubblicità condividi leggi commento commenti iscriviti accedi fonte seguici vai',
    pattern:
      'pubblicità|condividi|leggi (tutto|di più)|(\\d+ )?comment[io]|iscriviti|accedi|fonte|seguici.*|vai al contenuto',
  },
  nl: {
    begins: 'advertentie delen lees reactie reacties afdrukken abonneren inloggen bron volg',
    pattern:
      'advertentie|delen|lees (meer|verder)|(\\d+ )?reacties?|afdrukken|abonneren|inloggen|bron|volg ons.*',
  },
  pl: {
    begins: 'reklama udostępnij czytaj komentarze komentarzy drukuj zaloguj źródło tagi',
    pattern:
      'reklama|udostępnij|czytaj (więcej|dalej)|(\\d+ )?(komentarze|komentarzy)|drukuj|zaloguj( się)?|źródło|tagi',
  },
  ru: {
    begins:
      'реклама поделиться читать комментарии комментарий комментария комментариев печать подписаться войти источник теги',
    pattern:
      'реклама|поделиться|читать (далее|дальше|полностью)|(\\d+ )?(комментари(и|й|я|ев))|печать|подписаться|войти|источник|теги',
  },
  tr: {
    begins: 'reklam paylaş devamını yorumlar yorum yazdır abone giriş kaynak etiketler',
    pattern: 'reklam|paylaş|devamını oku|(\\d+ )?(yorumlar|yorum)|yazdır|abone ol|giriş yap|kaynak|etiketler',
  },
  ja: {
    begins: '広告 スポ シェ 続き コメ 印刷 ログ',
    pattern: '広告|スポンサーリンク|シェア(する)?|続きを読む|コメント|印刷|ログイン',
  },
  zh: {
    begins: '广告 廣告 分享 阅读 閱讀 评论 評論 登录 登錄 来源 來源',
    pattern: '广告|廣告|分享|阅读更多|閱讀更多|评论|評論|登录|登錄|来源|來源',
  },
  ko: {
    begins: '광고 공유 더 더보 댓글 인쇄 로그',
    pattern: '광고|공유(하기)?|더 ?보기|댓글|인쇄|로그인',
  },
};
/** Whole lines that belong to the page. */
export const BOILERPLATE = new Phrases(BOILERPLATE_OF, '\\s*[:：]?$');

/** The word ends here: no letter of Latin or Cyrillic in lower case follows, and no digit. */
const NO_LETTER = '(?![a-z\\d_\\u00df-\\u024f\\u0430-\\u045f])';

/** The beginnings of lines that point to another page. */
const REFERRAL_OF: PhraseTable = {
  en: {
    begins:
      "related relateds read also see more watch must recommended don't don’t dont share photo photos image credit source via tag tags tagged filed category categories topics keywords posted",
    pattern:
      "related( story| article| video)?s?|read( more| next| also)?|also( read)?|see( also| more)?|more( on| from)?|watch|must read|recommended|don['’]?t miss|share this|photo|image|photos|image credit|credit|source|via|tags?|tagged( with)?|filed under|categor(y|ies)|topics|keywords|posted in",
  },
  de: {
    begins: 'siehe lesen lies auch mehr',
    pattern: 'siehe auch|lesen sie (auch|mehr)|lies auch|auch interessant|mehr zum thema|mehr dazu',
  },
  fr: {
    begins: 'à lire voir sur',
    pattern: '(à )?lire (aussi|également)|à lire|voir aussi|sur le même sujet',
  },
  es: {
    begins: 'lee leer lea vea ver te más',
    pattern: '(lee|leer|lea|vea|ver) también|te puede interesar|más información',
  },
  pt: {
    begins: 'leia veja saiba',
    pattern: 'leia( também| mais)|veja( também)?|saiba mais',
  },
  it: {
    begins: 'leggi vedi approfondisci',
    pattern: 'leggi anche|vedi anche|approfondisci',
  },
  nl: {
    begins: 'lees zie meer',
    pattern: 'lees ook|zie ook|meer over',
  },
  pl: {
    begins: 'czytaj zobacz przeczytaj',
    pattern: '(czytaj|zobacz|przeczytaj) (też|także|również|więcej)',
  },
  ru: {
    begins: 'читайте смотрите по',
    pattern: '(читайте|смотрите) также|по теме',
  },
  tr: {
    begins: 'ayrıca ilgili',
    pattern: 'ayrıca (okuyun|bakınız)|ilgili haber',
  },
  ja: {
    begins: '関連 あわ',
    pattern: '関連記事|あわせて読みたい',
  },
  zh: {
    begins: '相关 相關 延伸',
    pattern: '相[关關](阅读|閱讀|新闻|新聞)|延伸[阅閱][读讀]',
  },
  ko: {
    begins: '관련',
    pattern: '관련 ?기사',
  },
};
/** Lines that point to another page. */
export const REFERRAL = new Phrases(REFERRAL_OF, `${NO_LETTER}[^.]{0,20}[:：]`);

const TRAILING =
  /(follow (us|him|her|me|them|@)|subscribe to|sign up (for|to)|newsletter|all rights reserved|©|copyright 20|reach the reporter|contact (the )?(reporter|author|us)|like us on|click here to|@\w+\.(com|org|net)|on twitter( at)?( |:)|is a (staff writer|reporter|freelance|senior|contributing|journalist|correspondent)|have a tip)/i;

/** The beginnings of bylines and of dates. */
const BYLINE_OF: PhraseTable = {
  en: {
    begins: 'by published updated posted last first',
    pattern: 'by|published|updated|posted|last (updated|modified)|first published',
  },
  de: { begins: 'von veröffentlicht aktualisiert', pattern: 'von|veröffentlicht|aktualisiert' },
  fr: { begins: 'par auteur publié mis', pattern: 'par|auteur(?= ?:)|publié|mis à jour' },
  es: {
    begins: 'por autor publicado publicada actualizado',
    pattern: 'por|autor(?= ?:)|publicad[oa]|actualizado',
  },
  pt: {
    begins: 'por autor publicado publicada atualizado',
    pattern: 'por|autor(?= ?:)|publicad[oa]|atualizado',
  },
  it: { begins: 'di autore pubblicato aggiornato', pattern: 'di|autore(?= ?:)|pubblicato|aggiornato' },
  nl: { begins: 'auteur gepubliceerd bijgewerkt', pattern: 'auteur(?= ?:)|gepubliceerd|bijgewerkt' },
  pl: { begins: 'autor opublikowano', pattern: 'autor(?= ?:)|opublikowano' },
  ru: { begins: 'автор опубликовано обновлено', pattern: 'автор(?= ?:)|опубликовано|обновлено' },
};
/** Lines that name the author or a date. */
export const BYLINE = new Phrases(BYLINE_OF, NO_LETTER);
const YEAR = /\b(19|20)\d\d\b/;
const DAY = /(\d{1,2}:\d\d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|\d{1,2}[./-]\d{1,2})/i;
const COUNT = /^\d+ (min(ute)?s?|hours?|days?|comments?|shares?|views?)\b/i;

/** Matches a credit line such as "Photo: Reuters". */
export const CREDIT_LINE = /^(photo|image|credit|foto|getty|ap photo|reuters)\b.{0,60}$/i;

/** Returns true for a whole line such as "Advertisement", "Share this", "12 comments". */
export const isBoilerplateLine = (line: string): boolean => BOILERPLATE.test(line);

/** Returns true for a line that points to another article, such as "Related: …", "Read also: …". */
export const isReferralLine = (line: string): boolean => REFERRAL.test(line);

/** Returns true for a line that usually ends a page, such as "Follow us on …", "All rights reserved", "… is a staff writer". */
export const isTrailingLine = (line: string): boolean => TRAILING.test(line);

/** Returns true for a line shorter than 90 characters that is a byline, a date, a count ("12 comments") or a credit line. */
export function isBylineOrDate(line: string): boolean {
  if (line.length >= 90) return false;
  if (BYLINE.test(line) || COUNT.test(line)) return true;
  if (CREDIT_LINE.test(line)) return true;
  return line.length < 60 && YEAR.test(line) && DAY.test(line);
}
