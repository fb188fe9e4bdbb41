import type { SignerCondition } from "@conclave/testbed/launch";
import { printable } from "../printable.ts";

const SPANS = [
  ["days", 86_400_000],
  ["hours", 3_600_000],
  ["minutes", 60_000],
  ["seconds", 1_000],
] as const;

/** Writes a time span in the largest unit of which it has two or more. */
const spanOf = (ms: number): string => {
  const [name, unit] = SPANS.find(([, each]) => ms >= 2 * each) ?? ["seconds", 1_000];
  return `${Math.round(ms / unit)} ${name}`;
};

/**
 * A line for each signer whose clock differs from the orchestrator's, and then a line with the remedy.
 *
 * @param signers as the orchestrator's status shows them
 */
export const clockLines = (
  signers: readonly Pick<SignerCondition, "id" | "clockAheadMs" | "isClockOff">[],
): readonly string[] => {
  const lines = signers.flatMap(({ id, clockAheadMs = 0, isClockOff }) => {
    if (!isClockOff) return [];
    const direction = clockAheadMs > 0 ? "ahead of" : "behind";
    return [
      printable(`the clock of ${id} is ${spanOf(Math.abs(clockAheadMs))} ${direction} the orchestrator's`),
    ];
  });
  const remedy =
    "Set the clock that is wrong: of one signer, its own; of all alike, the orchestrator's. See docs/clocks.md.";
  return lines.length === 0 ? [] : ["", ...lines, remedy];
};
