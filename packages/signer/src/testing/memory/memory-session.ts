import type { Signer } from "@conclave/platform/coordination";
import type { PartyIndex } from "@conclave/threshold";
import type { Control, HearReport } from "../../control.ts";
import { openLine } from "./line.ts";
import type { MemoryNetwork, Reached } from "./memory-network.ts";
import { type Connection, isCut, onSilence, type Way } from "./way.ts";

/** Some bytes of a command with its bodies, and of a report, on a slow way. */
const MESSAGE_BYTES = 1_000;

/** A signer over a network, and the ways to it. */
export interface SignerAtDistance {
  readonly network: MemoryNetwork;
  readonly connection: Connection;
  readonly index: PartyIndex;
}

type Fate = "passes" | "lost" | "broken";

const fateOn = (way: Way): Fate => (way.isCut ? "lost" : way.breaks() ? "broken" : "passes");

/**
 * Begins a session over the network: its reports come in order, and `lost` when its signer dies before the last, when its stream breaks, or
 * when it is noticed that the stream lost something. The signer ends the session then.
 */
export const memorySession = (
  { network, connection, index }: SignerAtDistance,
  asked: Parameters<Control["begin"]>[0],
  listener: Parameters<Signer["begin"]>[2],
): { readonly cancel: () => void } => {
  const { there, back } = connection;
  const [out, home] = [openLine(network.world, there), openLine(network.world, back)];
  let signer: Reached | undefined;
  let session: { readonly cancel: () => void } | undefined;
  let isOver = false;
  let isTorn = false;
  const end = (lastWord: () => void): void => {
    if (isOver) return;
    isOver = true;
    for (const stop of stops) stop();
    lastWord();
  };
  const lose = (): void => home(0, () => end(() => listener.lost("the signer cannot be reached")));
  const cancel = (): void => out(0, () => signer?.arrive(() => session?.cancel()));
  const tear = (): void => {
    isTorn = true;
    cancel();
    lose();
  };
  const carry = (way: Way, arrive: () => void): void => {
    if (isOver || isTorn) return;
    const fate = fateOn(way);
    if (fate === "passes") arrive();
    else if (fate === "broken") tear();
    else isTorn = true; // noticed by the keepalive, or once the way carries again
  };
  const stops = [
    network.onChange(() => {
      if (signer !== undefined && network.reach(index) !== signer) lose();
      else if (isTorn && !isCut(connection)) tear();
    }),
    onSilence(network, connection, (isSilent) => {
      if (isSilent) tear();
    }),
  ];
  const hear = (report: Parameters<HearReport>[0]): void =>
    home(MESSAGE_BYTES, () =>
      carry(back, () => {
        if (report.kind === "progress") listener.report(report);
        else end(() => listener.report(report));
      }),
    );
  const begin = (): void => {
    const reached = network.reach(index);
    signer = reached;
    if (reached === undefined) {
      lose();
      return;
    }
    reached.arrive(() => {
      session = reached.control.begin(asked, hear);
    });
  };
  out(MESSAGE_BYTES, () => carry(there, begin));
  return { cancel: () => end(cancel) };
};
