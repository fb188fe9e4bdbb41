import { type InjectedFault, type Place, placeName } from "@conclave/chaos";
import type { TroubledWays } from "../link/troubled-ways.ts";

type LinkFault = Extract<InjectedFault, { readonly kind: "link" }>;

const isServer = ({ kind }: Place): boolean => kind === "bus" || kind === "database" || kind === "node";

/** Whether a process of one kind calls a process of the other. */
const calls = (from: Place, to: Place): boolean => {
  if (from.kind === "signer") return to.kind === "signer";
  if (from.kind === "orchestrator") return to.kind === "signer" || isServer(to);
  return from.kind === "gateway" && isServer(to);
};

/** Whether a world has a link between two places: signers call signers, orchestrators call signers and servers, gateways call servers. */
export const hasLink = (from: Place, to: Place): boolean => calls(from, to) || calls(to, from);

/** Begins a fault of a link, in one or both directions. @returns undoes it @throws where a world has no such link */
export const troubleLink = (ways: TroubledWays, { from, to, isBothWays, toxic }: LinkFault): (() => void) => {
  const [source, target] = [placeName(from), placeName(to)];
  if (!hasLink(from, to)) throw new Error(`no process calls another between ${source} and ${target}`);
  const troubled: readonly (readonly [string, string])[] = isBothWays
    ? [
        [source, target],
        [target, source],
      ]
    : [[source, target]];
  const undoes = troubled.map(([one, other]) => ways.of(one, other).trouble(toxic));
  return () => {
    for (const undo of undoes) undo();
  };
};
