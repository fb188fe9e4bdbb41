import type { CampaignSum } from "./campaign-sum.ts";
import { sometimesCounts } from "./sometimes.ts";

const MS_PER_MINUTE = 60_000;

type Row = readonly (string | number)[];

/** A table of Markdown whose columns stand below each other: the first one's texts to the left, all others to the right. */
const tableText = (head: Row, rows: readonly Row[]): string => {
  const cells = [head, ...rows].map((row) => row.map(String));
  const widths = head.map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0)));
  const [top = "", ...below] = cells.map((row) => {
    const padded = row.map((cell, at) =>
      at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0),
    );
    return `| ${padded.join(" | ")} |`;
  });
  const rule = `|${widths.map((width, at) => `${"-".repeat(width + 1)}${at === 0 ? "-" : ":"}`).join("|")}|`;
  return [top, rule, ...below].join("\n");
};

/** Rates below this have a decimal. */
const WHOLE_FROM = 100;
const rateText = (rate: number): string => rate.toFixed(rate < WHOLE_FROM ? 1 : 0);

/** The table at the end of a campaign. @param run how long it took, and how many worlds ran at a time */
export const campaignTable = (
  sum: CampaignSum,
  run: { readonly realMs: number; readonly cores: number },
): string => {
  const { realMs, cores } = run;
  const minutes = realMs / MS_PER_MINUTE;
  const rated = (name: string, count: number, digits = 0): Row => [
    name,
    count.toFixed(digits),
    rateText(count / minutes),
    rateText(count / minutes / cores),
  ];
  const faults = Object.entries(sum.faults).sort(([one], [other]) => (one < other ? -1 : 1));
  const violated = Object.entries(sum.violated).sort(([one], [other]) => (one < other ? -1 : 1));
  return [
    tableText(
      ["", "in all", "a minute", "a minute and core"],
      [
        rated("worlds", sum.worlds),
        rated("transfers", sum.transfers),
        rated("steps", sum.steps),
        rated("virtual minutes", sum.lastedMs / MS_PER_MINUTE, 1),
      ],
    ),
    tableText(
      ["faults", "carried out", "refused", "never begun"],
      faults.map(([kind, { carriedOut, refused, unbegun }]) => [kind, carriedOut, refused, unbegun]),
    ),
    tableText(
      ["outcome", "worlds"],
      [["no finding", sum.worlds - sum.failed], ...violated.map(([name, count]) => [name, count])],
    ),
    tableText(
      ["sometimes", "times"],
      sometimesCounts(sum.reached).map(({ title, count }) => [title, count]),
    ),
    `${cores} worlds at a time; the process of one had ${sum.peakMb} MB at most`,
  ].join("\n\n");
};
