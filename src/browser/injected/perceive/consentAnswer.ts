/** The verbs with which a visitor answers a banner that asks for cookies, in the languages in which most pages are written (BCP 47). */
const VERBS: Readonly<Record<string, string>> = {
  de: 'akzeptieren|zustimmen|zulassen|erlauben|einverstanden|ablehnen',
  fr: 'accepter|autoriser|refuser|j.accepte',
  es: 'aceptar|acepto|permitir|rechazar',
  pt: 'aceitar|aceito|permitir|rejeitar|recusar',
  it: 'accett[ao]|consenti|rifiut[ao]',
  nl: 'accepteren|toestaan|akkoord|weigeren',
  sv: 'acceptera|godkänn|tillåt|avvisa|neka',
  da: 'accepter|tillad|godta|afvis|avvis',
  pl: 'akceptuj|zgadzam|zezwól|zezwalam|odrzu[ćc]',
  ru: 'принять|принимаю|разрешить|соглас(ен|на)|отклонить|отказаться',
  tr: 'kabul|onayla|izin ver|reddet',
  ja: '同意|許可|受け入れ|拒否',
  zh: '接受|同意|允[许許]|拒[绝絕]',
  ko: '동의|수락|허용|거부',
};

const ENGLISH = /^(i )?(accept|agree|allow|reject|decline)\b/i;
const OTHERS = new RegExp(Object.values(VERBS).join('|'), 'iu');
/** A longer name is that of another control. */
const MAX_CHARACTERS = 60;

/** Returns true if the name of a control is an answer to a banner that asks for cookies. */
export const isConsentAnswer = (name: string): boolean =>
  ENGLISH.test(name) || (name.length <= MAX_CHARACTERS && OTHERS.test(name));
