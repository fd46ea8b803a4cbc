/**
 * Takes shared workers away, in the world of the page's own scripts and before they run: no rule of the service holds for the requests of
 * one, because Chromium pauses them for nobody.
 */
Reflect.deleteProperty(globalThis, 'SharedWorker');
