/**
 * A file's defects in one line: the first one, and how many more there are.
 * @param message a validator's message: a heading, and each defect on a line of its own
 */
export const firstDefect = (message: string): string => {
  const [heading = "", first, ...more] = message.split(/\s*✖ /);
  if (first === undefined) return heading;
  const rest = more.length === 0 ? "" : `, and ${more.length} more`;
  return `${heading} ${first.trim().replace(/\s*\n\s*→ /g, ", ")}${rest}`;
};
