import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { OpenRequests } from '../../../src/browser/tab/openRequests.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const URL_OF_API = 'http://site.example/api';
let nextId = 0;

/** A page whose first operation has ended. */
function loadedPage(): OpenRequests {
  const requests = new OpenRequests();
  requests.operationStarted();
  requests.operationEnded();
  pass(2_000);
  return requests;
}

const pass = (ms: number): void => {
  vi.advanceTimersByTime(ms);
};
const start = (requests: OpenRequests, url = URL_OF_API): string => {
  const id = String(++nextId);
  requests.started(id, 'GET', url);
  return id;
};
/** Starts a request in an operation, and counts what the operation waits for. */
function awaitedInOperation(requests: OpenRequests, url = URL_OF_API): number {
  requests.operationStarted();
  const after = requests.lastNumber;
  start(requests, url);
  return requests.count({ after, maxAgeMs: Number.POSITIVE_INFINITY });
}

describe('OpenRequests', () => {
  it('awaits news over a stream, a request that was open before the operation, and a frequent poll', () => {
    const silent = loadedPage();
    silent.operationStarted();
    start(silent);
    expect(silent.awaitsNews).toBe(false);
    silent.streamStarted('socket');
    expect(silent.awaitsNews).toBe(true);

    const waiting = loadedPage();
    start(waiting);
    waiting.operationStarted();
    expect(waiting.awaitsNews).toBe(true);

    for (const [period, isNews] of [
      [1_000, true],
      [5_000, false],
    ] as const) {
      const polling = loadedPage();
      for (let polls = 0; polls < 3; polls++) {
        polling.ended(start(polling));
        pass(period);
      }
      polling.operationStarted();
      expect(polling.awaitsNews).toBe(isNews);
    }
  });

  it('waits for a request to an endpoint whose earlier response took 3.5 seconds', () => {
    const requests = loadedPage();
    requests.operationStarted();
    const slow = start(requests, `${URL_OF_API}?ms=3500`);
    pass(3_500);
    requests.responded(slow);
    requests.ended(slow);
    requests.operationEnded();
    pass(2_000);
    expect(awaitedInOperation(requests, `${URL_OF_API}?ms=500`)).toBe(1);
  });

  it('waits for each of many requests of operations to one endpoint', () => {
    const requests = loadedPage();
    for (let nth = 0; nth < 6; nth++) {
      expect(awaitedInOperation(requests)).toBe(1);
      requests.ended(String(nextId));
      requests.operationEnded();
      pass(3_000 * nth);
    }
  });

  it('does not wait for a poll that the page sends by itself at intervals', () => {
    const requests = loadedPage();
    for (let nth = 0; nth < 3; nth++) {
      requests.ended(start(requests));
      pass(1_000);
    }
    expect(awaitedInOperation(requests)).toBe(0);
  });

  it.each([16, 20, 40, 100, 500])(
    'does not wait for a poll of %i ms that ran before the operation, but for the first request of other code',
    period => {
      const requests = new OpenRequests();
      requests.operationStarted();
      requests.documentStarted();
      const send = (site: string) => {
        requests.started(String(++nextId), 'GET', `${URL_OF_API}?${nextId}`, true, site);
        return String(nextId);
      };
      /** Polls with delays as on a busy machine. @returns how many of the requests are waited for */
      const poll = (count: number): number => {
        const { lastNumber: after } = requests;
        let awaited = 0;
        for (let nth = 0; nth < count; nth++) {
          pass(period + (nth % 3) * 9);
          const id = send('timer');
          awaited += requests.count({ after, maxAgeMs: Number.POSITIVE_INFINITY });
          pass(4);
          requests.ended(id);
        }
        return awaited;
      };
      poll(3);
      requests.operationEnded();
      poll(1);
      for (let step = 0; step < 3; step++) {
        requests.operationStarted();
        expect(poll(4)).toBe(0);
        const after = requests.lastNumber;
        requests.ended(send('button'));
        send('button');
        expect(requests.count({ after, maxAgeMs: Number.POSITIVE_INFINITY })).toBe(1);
        requests.ended(String(nextId));
        requests.operationEnded();
      }
    },
  );

  it('waits for what a step reads page by page, and for a search in each of many steps', () => {
    const requests = loadedPage();
    for (let step = 0; step < 6; step++) {
      requests.operationStarted();
      const after = requests.lastNumber;
      for (let nth = 0; nth < 20; nth++) {
        requests.started(String(++nextId), 'GET', `${URL_OF_API}?page=${nth}`, true, 'loop');
        expect(requests.count({ after, maxAgeMs: Number.POSITIVE_INFINITY })).toBe(1);
        pass(60);
        requests.ended(String(nextId));
      }
      requests.operationEnded();
      pass(300);
    }
  });

  it('waits for a request of other code to a polled endpoint', () => {
    const requests = loadedPage();
    for (let nth = 0; nth < 3; nth++) {
      requests.ended(start(requests));
      pass(1_000);
    }
    requests.operationStarted();
    const after = requests.lastNumber;
    requests.started(String(++nextId), 'GET', URL_OF_API, true, 'button');
    expect(requests.count({ after, maxAgeMs: Number.POSITIVE_INFINITY })).toBe(1);
  });

  it('does not wait for the long poll that follows one which was open before the operation', () => {
    const requests = loadedPage();
    const poll = start(requests);
    pass(20_000);
    requests.operationStarted();
    const after = requests.lastNumber;
    requests.ended(poll);
    start(requests);
    expect(requests.count({ after, maxAgeMs: Number.POSITIVE_INFINITY })).toBe(0);
  });

  it('waits two seconds for the rest of a response, and as long as the caller says', () => {
    const requests = loadedPage();
    requests.operationStarted();
    const after = requests.lastNumber;
    requests.responded(start(requests));
    const counts = () => [
      requests.count({ after, maxAgeMs: 60_000 }),
      requests.count({ after, maxAgeMs: 60_000, maxBodyMs: 10_000 }),
    ];
    expect(counts()).toEqual([1, 1]);
    pass(2_500);
    expect(counts()).toEqual([0, 1]);
  });

  it('waits for an endpoint whose earlier responses did not end in time', () => {
    const requests = loadedPage();
    for (let nth = 0; nth < 3; nth++) {
      expect(awaitedInOperation(requests)).toBe(1);
      pass(5_000);
      requests.operationEnded();
    }
  });

  it('does not wait for requests whose responses nothing in the page uses', () => {
    const requests = loadedPage();
    requests.operationStarted();
    const after = requests.lastNumber;
    for (const path of ['beacon', 'items'])
      requests.started(path, 'POST', `http://site.example/${path}`, true);
    requests.ignoreUnused(after, new Set(['http://site.example/beacon']));
    expect(requests.count({ after, maxAgeMs: 60_000 })).toBe(1);
    expect(requests.labels()).toEqual(['POST site.example/items']);
  });

  it('names the open requests of the last operation without query and fragment', () => {
    const requests = loadedPage();
    requests.operationStarted();
    start(requests, 'http://site.example/items?token=secret#part');
    expect(requests.labels()).toEqual(['GET site.example/items']);
  });
});
