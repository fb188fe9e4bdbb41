import { durationText } from "./duration.ts";
import type { BusFailure, FaultStart, InjectedFault, PlannedFault, StoreChange } from "./fault.ts";
import { placeName } from "./place.ts";
import { type ChaosPlan, type Load, QUIET_PLAN } from "./plan.ts";

const linkText = ({ from, to, isBothWays, toxic }: Extract<InjectedFault, { kind: "link" }>): string => {
  const link = `${placeName(from)} ${isBothWays ? "↔" : "→"} ${placeName(to)}`;
  switch (toxic.kind) {
    case "cut":
      return `cut ${link}`;
    case "delay":
      return `delay ${link} by ${durationText(toxic.ms)}`;
    case "break":
      return `break ${link} ${toxic.percent}%`;
    case "slow":
      return `slow ${link} to ${toxic.bytesPerSecond / 1_000} kB/s`;
  }
};

const chainText = ({ network, failure }: Extract<InjectedFault, { kind: "chain" }>): string => {
  switch (failure.kind) {
    case "reorganise":
      return `reorganise ${network} by ${failure.blocks} block${failure.blocks === 1 ? "" : "s"}`;
    case "forget":
      return `${network} forgets its pool`;
    case "hold":
      return `${network} holds transactions`;
    case "refuse":
      return `${network} refuses transactions`;
    case "overload":
      return `another organisation overloads ${network}`;
  }
};

const busText = (failure: BusFailure): string => {
  switch (failure.kind) {
    case "forgets":
      return "nats forgets everything";
    case "repeats":
      return "nats delivers twice";
    case "goes back":
      return `nats goes back by ${durationText(failure.byMs)}`;
  }
};

const storeText = (change: StoreChange): string => {
  switch (change.kind) {
    case "loses":
      return `loses the entry ${change.entry}`;
    case "goes back":
      return `goes back by ${durationText(change.byMs)}`;
  }
};

/** A fault, in the form that `parsePlan` reads. */
const faultText = (fault: InjectedFault): string => {
  switch (fault.kind) {
    case "kill":
    case "stop":
    case "pause":
      return `${fault.kind} ${fault.places.map(placeName).join(", ")}`;
    case "power":
      return `cut the power of ${fault.places.map(placeName).join(", ")}`;
    case "lose":
      return `lose ${fault.places.map(placeName).join(", ")}`;
    case "link":
      return linkText(fault);
    case "disk":
      return fault.failure === "full"
        ? `fill the disk of signer-${fault.signer}`
        : `fail the syncs of signer-${fault.signer}`;
    case "store":
      return `disk of signer-${fault.signer} ${storeText(fault.change)}`;
    case "clock":
      return `move the clock of ${placeName(fault.place)} by ${fault.byMs < 0 ? "-" : "+"}${durationText(Math.abs(fault.byMs))}`;
    case "lie":
      return `signer-${fault.signer} lies in ${fault.message}`;
    case "bus":
      return busText(fault.failure);
    case "chain":
      return chainText(fault);
  }
};

const startText = (start: FaultStart): string => {
  switch (start.kind) {
    case "time":
      return `at ${durationText(start.ms)}`;
    case "request":
      return `when request ${start.number} is ${start.stage}`;
    case "point":
      return `when it reaches ${start.point}${start.hit === 1 ? "" : ` ${start.hit} times`}`;
  }
};

/** A line of a plan, in the form that `parsePlan` reads. */
export const plannedText = ({ fault, start, lastsMs }: PlannedFault): string => {
  const what = faultText(fault);
  if (lastsMs === undefined) return `${what} ${startText(start)}`;
  return start.kind === "time"
    ? `${what} from ${durationText(start.ms)} to ${durationText(start.ms + lastsMs)}`
    : `${what} ${startText(start)} for ${durationText(lastsMs)}`;
};

const loadText = ({ perSecond, lastsMs, networks, wallets }: Load): string => {
  const by = wallets === QUIET_PLAN.load.wallets ? "" : ` by ${wallets} wallets`;
  const transfers = perSecond === 1 ? "transfer" : "transfers";
  return `load ${perSecond} ${transfers} a second for ${durationText(lastsMs)}${by} on ${networks.join(", ")}`;
};

/** The whole plan, in the form that `parsePlan` reads. A run prints it first; running the printed plan repeats the run. */
export const planText = ({ load, faults, ...plan }: ChaosPlan): string =>
  [
    `seed ${plan.seed}`,
    `signers ${plan.signers}`,
    `threshold ${plan.threshold}`,
    `orchestrators ${plan.orchestrators}`,
    `gateways ${plan.gateways}`,
    loadText(load),
    ...faults.map(plannedText),
    "",
  ].join("\n");
