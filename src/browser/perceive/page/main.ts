/** Entry of the in-page observer. */
Object.defineProperty(globalThis, '__pagespace', { value: {}, configurable: true });
