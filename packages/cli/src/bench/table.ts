import type { Figure, Section } from "./figure.ts";

const DECIMALS_BELOW = [
  [10, 2],
  [100, 1],
] as const;

/** Rounds to about three significant digits; a shared machine has no higher precision. */
export const rounded = (value: number): string => {
  const decimals = DECIMALS_BELOW.find(([limit]) => Math.abs(value) < limit)?.[1] ?? 0;
  return Number.isInteger(value) ? String(value) : value.toFixed(decimals);
};

const verdict = ({ value, budget, unit }: Figure): string => {
  if (budget === undefined) return "";
  return `${value <= budget ? "within" : "ABOVE"} ${budget} ${unit}`;
};

const cells = (figure: Figure): readonly string[] => [
  figure.label,
  rounded(figure.value),
  figure.unit,
  verdict(figure),
  figure.note ?? "",
];

const RIGHT_ALIGNED = 1;

/** Renders sections as one aligned table, with budgets beside the numbers that have one. */
export const renderTable = (sections: readonly Section[]): string => {
  const rows = sections.flatMap(({ figures }) => figures.map(cells));
  const widths = [0, 1, 2, 3].map((column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return column === RIGHT_ALIGNED ? cell.padStart(width) : cell.padEnd(width);
      })
      .join("  ")
      .trimEnd();
  return sections
    .map(({ title, figures }) => [title, ...figures.map((figure) => `  ${line(cells(figure))}`)].join("\n"))
    .join("\n\n");
};
