/** Renders a table: columns as wide as their widest cell, and a line under the head. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string => {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => (row[column] ?? "").length)),
  );
  const line = (cells: readonly string[]): string =>
    `  ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")}`.trimEnd();
  return [line(head), `  ${widths.map((width) => "─".repeat(width)).join("  ")}`, ...rows.map(line)].join(
    "\n",
  );
};
