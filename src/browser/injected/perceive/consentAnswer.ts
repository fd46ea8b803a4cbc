import { FIRST_IDEOGRAPH } from '../dom/characters.ts';

/** The words with which a visitor answers a banner that asks for cookies, in the languages in which most pages are written (BCP 47). */
const WORDS_OF: Readonly<Record<string, string>> = {
  de: 'akzeptieren akzeptiere zustimmen zulassen erlauben einverstanden ablehnen',
  fr: "accepter accepte j'accepte j’accepte autoriser refuser",
  es: 'aceptar acepto aceptarlas permitir rechazar rechazarlas',
  pt: 'aceitar aceito aceitá-los permitir rejeitar recusar',
  it: 'accetta accetto accettare consenti rifiuta rifiuto rifiutare',
  nl: 'accepteren accepteer toestaan akkoord weigeren weiger',
  sv: 'acceptera godkänn tillåt avvisa neka',
  da: 'accepter acceptér tillad godta godtag afvis avvis',
  pl: 'akceptuj akceptuję zaakceptuj zgadzam zezwól zezwalam odrzuć odrzucam',
  ru: 'принять принимаю разрешить согласен согласна отклонить отказаться',
  tr: 'kabul onayla reddet',
};
/** The same in scripts of which two characters tell as much as a word: anywhere in a name. */
const PAIRS_OF: Readonly<Record<string, string>> = {
  ja: '同意 許可 拒否',
  zh: '接受 同意 允许 允許 拒绝 拒絕',
  ko: '동의 수락 허용 거부',
};

const ENGLISH = /^(i )?(accept|agree|allow|reject|decline)\b/i;
const setOf = (table: Readonly<Record<string, string>>): ReadonlySet<string> =>
  new Set(Object.values(table).flatMap(words => words.split(' ')));
const WORDS = setOf(WORDS_OF);
const PAIRS = setOf(PAIRS_OF);
/** A longer name is that of another control. */
const MAX_CHARACTERS = 60;

/** Returns true if the name of a control is an answer to a banner that asks for cookies. */
export function isConsentAnswer(name: string): boolean {
  if (ENGLISH.test(name)) return true;
  if (name.length > MAX_CHARACTERS) return false;
  for (const word of name.toLowerCase().split(' ')) if (WORDS.has(word)) return true;
  for (let at = 0; at + 1 < name.length; at++)
    if ((name[at] ?? '') >= FIRST_IDEOGRAPH && PAIRS.has(name.slice(at, at + 2))) return true;
  return false;
}
