import { logEvent } from "@conclave/platform";

/** The events of an orchestrator's process, its database, its bus and the clocks. */

interface Failure {
  readonly err: unknown;
}

/** @param part one of the process's concurrent parts, such as "following Tron"; it is restarted */
export const partFailed = logEvent<Failure & { readonly part: string }>()(
  "error",
  "part-failed",
  ({ part }) => `${part} failed`,
);

export const migrationAwaited = logEvent()(
  "info",
  "migration-awaited",
  "waits for the gateway to migrate the database",
);

export const busStatusNoted = logEvent<{ readonly status: string }>()("debug", "bus-status", "message bus");

export const presenceUnknown = logEvent<Failure>()(
  "warn",
  "presence-unknown",
  "the database does not know this orchestrator as present",
);

/** @param why the clock was set, or the machine was paused or rebooted */
export const timeInDoubt = logEvent<{ readonly why: string }>()(
  "warn",
  "time-in-doubt",
  "this orchestrator's time is in doubt",
);

export const timesDrawnIn = logEvent<{ readonly count: number }>()(
  "warn",
  "times-drawn-in",
  "what lay too far ahead by the database's clock is due",
);

interface SignerClock {
  /** the id of the signer */
  readonly signer: string;
  readonly aheadMs: number;
}

export const signerClockOff = logEvent<SignerClock>()(
  "warn",
  "signer-clock-off",
  "a signer's clock is another than this process's",
);

export const signerClockAgrees = logEvent<SignerClock>()(
  "info",
  "signer-clock-agrees",
  "a signer's clock agrees again",
);

export const deadlineRefused = logEvent<SignerClock>()(
  "warn",
  "deadline-refused",
  "a signer refuses our deadline: its clock is another",
);

export const deliveryNotRecorded = logEvent<Failure>()(
  "warn",
  "delivery-not-recorded",
  "a delivery is not recorded; it is made again",
);

export const deliveriesNotTaken = logEvent<Failure>()(
  "warn",
  "deliveries-not-taken",
  "looking for deliveries failed",
);

export const missedNotDropped = logEvent<Failure>()(
  "warn",
  "missed-not-dropped",
  "what disabled webhooks missed stays for now",
);
