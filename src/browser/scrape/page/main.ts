/** Entry of the in-page scraper. */
Object.defineProperty(globalThis, '__pagespaceScrape', { value: {}, configurable: true });
