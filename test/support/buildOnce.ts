import { buildInPageScripts } from '../../src/setup/build.ts';

/** Tests drive the in-page scripts as they stand in src/. */
export default buildInPageScripts;
