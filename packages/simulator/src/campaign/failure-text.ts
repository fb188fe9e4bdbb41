import { planText } from "@conclave/chaos";
import type { EndedWorld } from "./campaign.ts";

const US_PER_MS = 1_000;
const MS_DIGITS = 3;
const TIME_CHARACTERS = 11;
const NAME_CHARACTERS = 16;

/** The plan, the findings and the events of a failed world, for people. */
export const failureText = ({ order, report }: EndedWorld): string => {
  const events = report.lines.map(({ atUs, process, words }) => {
    const at = (atUs / US_PER_MS).toFixed(MS_DIGITS).padStart(TIME_CHARACTERS);
    return `${at} ms  ${process.padEnd(NAME_CHARACTERS)}${words}`;
  });
  const violated = report.findings.map(({ invariant, words }) => `${invariant}: ${words}`);
  return [`# seed ${order.seed}`, planText(order.plan), ...violated, "", ...events, ""].join("\n");
};
