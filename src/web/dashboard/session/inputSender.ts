/** Sends the input of a person: in its order, one message at a time, and the newest place of the mouse instead of all of them. */
import { RequestFailure } from '../connection/http.ts';
import { mutate } from '../connection/socket.ts';
import type { InputEventInput, Operations } from '../generated/operations.ts';

type Answer = Operations['DashSendInput']['result']['sendInput'];
export type OpenPicker = NonNullable<Answer['picker']>;

const MAX_EVENTS = 500;
/** Minimum time between two messages, in milliseconds: the service takes 60 a second. */
const MIN_INTERVAL_MS = 18;

const PRESSES = new Set(['MOUSE_DOWN', 'MOUSE_UP', 'TOUCH', 'KEY_DOWN']);
/** Time after a press at which the picker is read once more, because a page may open it late, in milliseconds. */
const LATE_MS = 400;
/** Time between two readings of an open picker, which the page may change or close, in milliseconds. */
const REREAD_MS = 1_000;

export interface InputReceivers {
  readonly onCopied: (text: string) => void;
  /** A picker is open, or, with null, none is. */
  readonly onPicker: (picker: OpenPicker | null) => void;
  /** The input was refused: it does not reach the page any more. */
  readonly onFailure: (error: unknown) => void;
}

export class InputSender {
  readonly #variables: { readonly sessionId: string; readonly holdId: string };
  readonly #receivers: InputReceivers;
  #waiting: InputEventInput[] = [];
  #isSending = false;
  /** True for a message that is only sent to read the picker. */
  #isReading = false;
  #reading: ReturnType<typeof setTimeout> | null = null;

  constructor(sessionId: string, holdId: string, receivers: InputReceivers) {
    this.#variables = { sessionId, holdId };
    this.#receivers = receivers;
  }

  send(...events: readonly InputEventInput[]): void {
    for (const event of events) {
      if (event.type === 'CHOOSE') this.close();
      this.#add(event);
    }
    void this.#flush();
  }

  close(): void {
    if (this.#reading !== null) clearTimeout(this.#reading);
  }

  /** Answers the open dialog of the page. @param text of a prompt; null for none */
  readonly answerDialog = (isAccepted: boolean, text: string | null): void =>
    this.send(isAccepted ? { type: 'ACCEPT_DIALOG', text } : { type: 'DISMISS_DIALOG' });

  #add(event: InputEventInput): void {
    const last = this.#waiting.at(-1);
    if (event.type === 'MOUSE_MOVE' && last?.type === 'MOUSE_MOVE') this.#waiting.pop();
    // Of fingers too, only the newest place counts; that at which they came stays.
    if (isStroke(event, last) && isStroke(event, this.#waiting.at(-2))) this.#waiting.pop();
    if (event.type === 'WHEEL' && last?.type === 'WHEEL') {
      this.#waiting.pop();
      this.#waiting.push({
        ...event,
        deltaX: (last.deltaX ?? 0) + (event.deltaX ?? 0),
        deltaY: (last.deltaY ?? 0) + (event.deltaY ?? 0),
      });
      return;
    }
    this.#waiting.push(event);
  }

  async #flush(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    try {
      while (this.#waiting.length > 0 || this.#isReading) {
        this.#isReading = false;
        const events = this.#waiting.splice(0, MAX_EVENTS);
        const began = performance.now();
        const { sendInput } = await mutate('DashSendInput', { input: { ...this.#variables, events } });
        if (sendInput.copied !== null) this.#receivers.onCopied(sendInput.copied);
        const isPress = events.some(isPressed);
        // What waits changes the picker again.
        const isPassed = this.#waiting.some(event => isPressed(event) || event.type === 'CHOOSE');
        if ((isPress || events.length === 0) && !isPassed) {
          this.#receivers.onPicker(sendInput.picker);
          if (isPress || sendInput.picker !== null) this.#readLater(isPress ? LATE_MS : REREAD_MS);
        }
        const rest = began + MIN_INTERVAL_MS - performance.now();
        if (rest > 0 && this.#waiting.length > 0) await new Promise(resolve => setTimeout(resolve, rest));
      }
    } catch (error) {
      // What was on its way is lost, and so is what depends on it. The service releases what is pressed.
      this.#waiting = [];
      if (!(error instanceof RequestFailure && error.code === 'OFFLINE')) this.#receivers.onFailure(error);
    } finally {
      this.#isSending = false;
    }
  }

  #readLater(ms: number): void {
    this.close();
    this.#reading = setTimeout(() => {
      this.#isReading = true;
      void this.#flush();
    }, ms);
  }
}

const isPressed = ({ type }: InputEventInput): boolean => PRESSES.has(type);

const isStroke = (event: InputEventInput, before: InputEventInput | undefined): boolean =>
  event.type === 'TOUCH' &&
  before?.type === 'TOUCH' &&
  (event.points?.length ?? 0) > 0 &&
  event.points?.length === before.points?.length;
