import { z } from "zod";
import type { BlockTimer } from "../block-timer.ts";
import type { LedgerJson } from "../json.ts";
import { type AdminAction, adminAction } from "./admin.ts";

/** Ten years, in seconds. */
const SHIFT_SECONDS_MAX = 10 * 365 * 24 * 60 * 60;

/**
 * The actions on the time of a ledger: pause and resume automatic blocks, and shift the clock.
 * @param view the answer of each
 */
export const clockActions = (
  host: { shiftClock(ms: number): void },
  timer: BlockTimer,
  view: () => LedgerJson,
): Readonly<Record<"hold" | "resume" | "shift-clock", AdminAction>> => ({
  hold: adminAction(z.strictObject({}), () => {
    timer.hold();
    return view();
  }),
  resume: adminAction(z.strictObject({}), () => {
    timer.start();
    return view();
  }),
  "shift-clock": adminAction(
    z.strictObject({ seconds: z.int().min(-SHIFT_SECONDS_MAX).max(SHIFT_SECONDS_MAX) }),
    ({ seconds }) => {
      host.shiftClock(seconds * 1_000);
      return view();
    },
  ),
});
