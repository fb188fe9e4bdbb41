import { planText } from "@conclave/chaos";
import { laneNames, timelineText } from "../trace/timeline.ts";
import type { EndedWorld } from "./campaign.ts";
import { findingText } from "./world-text.ts";

/** The plan, the findings and the events of a failed world, for people. */
export const failureText = ({ order, report }: EndedWorld): string => {
  const violated = report.findings.map(findingText);
  return [
    `# seed ${order.seed}`,
    planText(order.plan),
    ...violated,
    "",
    timelineOf({ order, report }),
    "",
  ].join("\n");
};

/** The events of a world, with a lane for each process. */
export const timelineOf = ({ order, report }: EndedWorld): string =>
  timelineText(report.lines, laneNames(order.plan));
