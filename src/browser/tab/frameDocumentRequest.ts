/** A request for the document of a frame, as Chromium reports it. */
export interface FrameDocumentRequest {
  /** CDP id of the request. */
  readonly requestId: string;
  /** CDP id of the frame. */
  readonly frameId: string | undefined;
  readonly request: {
    readonly url: string;
    readonly urlFragment?: string;
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
  };
}
