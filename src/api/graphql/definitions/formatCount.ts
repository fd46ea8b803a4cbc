/** Formats a number with thousands separators: `10,000`. */
export const formatCount = (count: number): string => count.toLocaleString('en');
