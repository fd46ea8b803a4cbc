/** Refuses what a consent banner asks for. Never accepts anything. */
import * as dom from '../dom/domGetters.ts';

/** Boxes that may be a banner: by name, or as a dialog. */
const BANNERS =
  '[id*=cookie i],[class*=cookie i],[id*=consent i],[class*=consent i],[id*=gdpr i],[class*=gdpr i],[id*=onetrust i],[id*=didomi i],[id*=usercentrics i],[class*=cmp- i],[id*=cmp i],[id*=sp_message i],dialog,[role=dialog],[role=alertdialog],[aria-modal=true],[aria-label*=cookie i],[aria-label*=consent i]';
/** Matches the subject of such a banner. */
const SUBJECT =
  /cookie|consent|privacy|tracking|personal data|datenschutz|einwilligung|confidentialité|traceurs|privacidad|privacidade|privatezza|riservatezza|toestemming|prywatno|zgod|согласи|конфиденциальн|çerez|クッキー|プライバシー|隐私|隱私|쿠키/i;
const BUTTONS = 'button,[role=button],a,input[type=button i],input[type=submit i]';
/** The whole text of a button that refuses. */
const REFUSALS =
  /^(reject|refuse|decline|deny|disagree|no,? thanks?|i do not (agree|accept|consent)|do not (accept|consent)|don['’]t accept|continue without (accepting|consent|agreeing)|(use |accept |allow )?(only )?(the )?(strictly |only )?(necessary|essential|required)( cookies)?( only)?|reject (all|non-essential|optional|additional|unnecessary|cookies).{0,20}|decline (all|cookies|optional).{0,12}|refuse (all|cookies).{0,12}|deny all|disagree and close|ablehnen|alle(s)? ablehnen|alle cookies ablehnen|nur (notwendige|erforderliche|essenzielle)[^,]{0,20}|weiter ohne (zustimmung|einwilligung|annahme)|tout refuser|refuser( tout)?|je refuse|continuer sans accepter|rechazar( tod[oa]s?)?( las cookies)?|denegar|rejeitar( tud[oa]s?| todos)?( os cookies)?|recusar( tud[oa]s?)?|rifiuta( tutt[oi])?|continua senza accettare|(alles )?(weigeren|afwijzen)|alleen noodzakelijke?.{0,12}|odrzuć( wszystk\w+)?|tylko niezbędne|отклонить( вс[её])?|только необходимые.{0,20}|(tümünü )?reddet|すべて拒否|拒否(する)?|全部拒绝|拒绝(所有|全部)?|全部拒絕|拒絕|모두 거부|거부)$/i;
/** Maximum number of boxes and of buttons that are read. */
const MAX_BANNERS = 300;
const MAX_BUTTONS = 60;

/** Presses the button that refuses, of the first banner that has one, also in open shadow roots. Returns true if there is one. */
export function refuseConsent(page: Document): boolean {
  const button = refusalIn(Array.from(dom.queryAllDocument(page, BANNERS)), element =>
    dom.queryAllIn(element, BUTTONS),
  );
  if (button !== null) return press(button);
  for (const host of dom.queryAllDocument(
    page,
    '[id*=usercentrics i],[id*=consent i],[id*=cmp i],[id*=cookie i]',
  )) {
    const root = dom.openShadowRoot(host);
    if (root === null || !SUBJECT.test(root.textContent ?? '')) continue;
    const inside = refusalAmong(Array.from(root.querySelectorAll(BUTTONS)));
    if (inside !== null) return press(inside);
  }
  return false;
}

function refusalIn(
  banners: readonly Element[],
  buttonsOf: (banner: Element) => Iterable<Element>,
): HTMLElement | null {
  for (const banner of banners.slice(0, MAX_BANNERS)) {
    if (dom.boxOf(banner).height === 0 || !SUBJECT.test(dom.textContent(banner) ?? '')) continue;
    const found = refusalAmong([...buttonsOf(banner)]);
    if (found !== null) return found;
  }
  return null;
}

function refusalAmong(buttons: readonly Element[]): HTMLElement | null {
  for (const button of buttons.slice(0, MAX_BUTTONS)) {
    const { width, height } = dom.boxOf(button);
    if (width === 0 || height === 0) continue;
    const text =
      (dom.textContent(button)?.trim() ||
        dom.getAttribute(button, 'value') ||
        dom.getAttribute(button, 'aria-label')) ??
      '';
    // A link to another page is no answer.
    const href = dom.localName(button) === 'a' ? (dom.getAttribute(button, 'href') ?? '#') : '#';
    if (REFUSALS.test(text.replace(/\s+/g, ' ').trim()) && /^(#|javascript:|$)/i.test(href))
      return button as HTMLElement;
  }
  return null;
}

function press(button: HTMLElement): true {
  HTMLElement.prototype.click.call(button);
  return true;
}
