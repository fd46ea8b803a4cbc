/** Writes a learnt model as a TypeScript file. */

/** Returns the source of a file that exports a model as JSON in one string. */
export function modelFile(name: string, subject: string, model: unknown): string {
  return `/**
 * Written by \`npm run train:content\`: ${subject}. Learnt from pages of WCXB
 * (Murrough-Foley/web-content-extraction-benchmark, CC-BY-4.0).
 */
export const ${name} =
  '${JSON.stringify(model)}';
`;
}
