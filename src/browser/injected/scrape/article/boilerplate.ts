/** Recognizes the lines of a page that are no part of its text. */
import { singleLineText } from './textStats.ts';

/** Matches whole lines that belong to the page. */
const BOILERPLATE =
  /^(?:(skip )?advert(isement)?s?|ad|sponsored( content)?|story continues( below)?|article continues( below)?( ad(vertisement)?)?|share( this)?( article| story)?|image copyright|image caption|media caption|media playback is unsupported.*|tell us what you think.*|(\d+ )?comments?|read more|more|related( (articles?|stories|posts?|content|news))?|see also|subscribe|sign (in|up)|log ?in|skip to (main )?content|this slideshow requires javascript\.?|loading\.*|print|email|tweet|facebook|twitter|whatsapp|pinterest|linkedin|source|tags|filed under|topics|follow us( on .*)?|(this|our) (web)?site uses cookies.*|we use cookies.*|(image |photo |slide )?\d{1,3} ?(of|\/|von|de|sur|di|из) ?\d{1,3}|see tweets?)\s*[:：]?$/i;

/** Matches the beginning of a line that points to another page. */
const REFERRAL =
  /^(?:[[(](?:related|read|watch|more|also)|related( story| article| video)?s?|read( more| next| also)?|also( read)?|see( also| more)?|more( on| from)?|watch|must read|recommended|don['’]?t miss|share this|photo|image|photos|image credit|credit|source|via|tags?|tagged( with)?|filed under|categor(y|ies)|topics|keywords|posted in)(?![a-z\d_\u00df-\u024f])[^.]{0,20}[:：]/i;

/** Matches what only a line about the page says. */
const ABOUT_PAGE =
  /all rights reserved\W*$|^(copyright )?(©|\(c\)|copyright 20)|\bversion of this \w+ appear(s|ed) in print\b/i;
/** Matches a line that says of a person, by name, for whom they write. "Senior engineer" is no such word. */
const ABOUT_WRITER =
  /^\p{Lu}\S*( \p{Lu}\S*){1,3} is an? ((staff|senior|contributing|freelance) (writer|reporter|editor|journalist|correspondent|producer)|(reporter|journalist|correspondent) (at|for|with|based|covering|who (covers|writes|reports)))\b/u;
/** The name of a person, with or without a profession: what stands beside the address below a text. An address alone, or with a label ("Bookings:"), is a fact. */
const NAME = /^[\p{Lu}\p{Lo}]\S*( [\p{Lu}\p{Lo}]\S*){1,3}$/u;

/** Matches an invitation: to follow, to subscribe, to write, to sign in. */
const INVITATION =
  /(follow (us|him|her|me|them|@)|subscribe to|sign up (for|to)|newsletter|reach the reporter|contact (the )?(reporter|author|us)|like us on|click here to|on twitter( at)?( |:)|have an? ([a-z]+ )?tip|join (our|the) ([a-z]+ )?(forums?|community|conversation|discussion)\b|(log|sign)(ged|ed)? ?in to (post|leave|write|add|join|view|comment|reply)\b|register(ed)? to (post|comment|reply)\b)/i;

/** "By train" names no author. */
const BY_NAME = /^[Bb][Yy]:?( ?[\p{Lu}@]|$)/u;
/** "Published maps" tells no time. */
const PUBLISHED =
  /^((first|last) )?(published|updated|posted|modified)( (on|at|by|in|online)\b|\s?($|[:：|·•,–-]|\d|today|yesterday|an? |one |(mon|tues|wednes|thurs|fri|satur|sun)day|(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d))/i;
const YEAR = /\b(19|20)\d\d\b/;
const DAY = /(\d{1,2}:\d\d|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|\d{1,2}[./-]\d{1,2})/i;
const COUNT =
  /^\d+ (min(ute)?s?|hours?|days?|comments?|shares?|views?)( ago| read| of reading)?\s?(?:$|[|·•–-])/i;
/** A sentence is one of the text, except with a date: "Updated in spring.", "Credit cards are accepted from 5 €." */
const SENTENCE = /\p{Ll}{2}[.!?]$|\d ?[€$%]\.$|\b\d\.$/u;
/** The words of a sentence: a line with two of them tells what is on the date. */
const WORD =
  /(?<!\S)(?!published|updated|posted|modified|written|first|last|from|edited|read\b|min)\p{Ll}{4,}(?!\S)/gu;

/** Matches a credit line such as "Photo: Reuters". */
export const CREDIT_LINE = /^(photo|image|credit|foto|getty|ap photo|reuters)\b.{0,60}$/i;

/** Returns true for a whole line such as "Advertisement", "Share this", "12 comments". */
export const isBoilerplateLine = (line: string): boolean => BOILERPLATE.test(line);

/** Returns true for a line that points to another article, such as "Related: …", "Read also: …". */
export const isReferralLine = (line: string): boolean => REFERRAL.test(line);

/** Returns true for a line that usually ends a page, such as "Follow us on …", "All rights reserved", "… is a staff writer". */
export const isTrailingLine = (line: string): boolean =>
  ABOUT_PAGE.test(line) || ABOUT_WRITER.test(line) || INVITATION.test(line);

const ADDRESS = /(?<!\S)[^\s@]+@\S+|\bhttps?:\S+|\bwww\.\S+/g;
/** The words of a link that invites. */
const INVITING_LINK =
  /^(log(ged)? ?in|sign(ed)? (in|up)|subscribe|register|follow (us|him|her|me)|contact us|click here|(our |the )?([a-z]+ )?newsletter)$/i;

/**
 * Returns true for a block that can only end a page. A sentence of the text may say "Contact us at the gate, room 12": an invitation has
 * no number, says nothing else, and has an address, a link that invites, or a link to another site. It is no quotation, and does not answer
 * a heading or a question.
 */
export function endsPage(block: Element): boolean {
  const line = singleLineText(block);
  if (ABOUT_PAGE.test(line) || ABOUT_WRITER.test(line)) return true;
  if (block.closest('blockquote') !== null || isAnswer(block)) return false;
  if (isAddressOfWriter(line)) return true;
  if (!INVITATION.test(line)) return false;
  const links = [...block.querySelectorAll<HTMLAnchorElement>('a[href]')];
  const besideLinks = (text: string): string =>
    links.reduce((rest, link) => rest.replace(singleLineText(link), ''), text);
  const rest = besideLinks(line);
  const invites = (clause: string): boolean =>
    INVITATION.test(clause) ||
    OFFER.test(clause) ||
    clause.search(ADDRESS) >= 0 ||
    !/\p{L}{4}/u.test(besideLinks(clause));
  if (!line.split(CLAUSE_END).every(invites)) return false;
  if (/\d/.test(rest.replace(ADDRESS, ''))) return false;
  const isInvited = links.some(link => {
    const words = singleLineText(link);
    return INVITATION.test(words) || INVITING_LINK.test(words) || link.protocol === 'mailto:';
  });
  return isInvited || rest.search(ADDRESS) >= 0 || links.some(link => link.hostname !== location.hostname);
}

/** Returns true for an e-mail address with the name of a person beside it. */
function isAddressOfWriter(line: string): boolean {
  const [address = '', ...others] = line.match(ADDRESS) ?? [];
  if (!address.includes('@') || others.length > 0) return false;
  const rest = line
    .replace(address, '')
    .replace(/[\s,|–-]+/g, ' ')
    .trim();
  return NAME.test(rest);
}

/** Praises the letters to which the next sentence invites. */
const OFFER = /^(get|have|receive) [^.!?]*\b(in|to) your inbox\b/i;
const CLAUSE_END = /(?<=[.!?:;])\s+/;

/** Returns true for the first block below a heading or a question. */
function isAnswer(block: Element): boolean {
  let first: Element | null = block;
  while (first !== null && first.previousElementSibling === null) first = first.parentElement;
  const before = first?.previousElementSibling ?? null;
  return before !== null && (/^h[1-6]$/.test(before.localName) || singleLineText(before).endsWith('?'));
}

/** Returns true for a line that begins with the name of the author or a date. */
export const isByline = (line: string): boolean => BY_NAME.test(line) || PUBLISHED.test(line);

/** Returns true for a line shorter than 90 characters, and no sentence, that is a byline, a date, a count ("12 comments") or a credit line. */
export function isBylineOrDate(line: string): boolean {
  if (line.length >= 90) return false;
  const isDated = YEAR.test(line) && DAY.test(line);
  if (SENTENCE.test(line)) return isDated && isByline(line);
  if (isByline(line) || COUNT.test(line) || CREDIT_LINE.test(line)) return true;
  return line.length < 60 && !line.endsWith('.') && isDated && (line.match(WORD) ?? []).length < 2;
}
