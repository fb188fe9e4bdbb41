/**
 * The defect of a file in one line: the first of several, and how many more there are.
 * @param message as readers of files write it: a heading, and each defect on a line of its own
 */
export const firstDefect = (message: string): string => {
  const [heading = "", first, ...more] = message.split(/\s*✖ /);
  if (first === undefined) return heading;
  const rest = more.length === 0 ? "" : `, and ${more.length} more`;
  return `${heading} ${first.trim().replace(/\s*\n\s*→ /g, ", ")}${rest}`;
};
