import type { Chance, Heal, InjectedFault, Toxic } from "@conclave/chaos";
import type { Cluster, Link } from "@conclave/testbed";
import { processOf } from "./process-names.ts";

const poison = (link: Link, toxic: Toxic, chance: Chance): (() => void) => {
  switch (toxic.kind) {
    case "cut":
      return link.cut();
    case "delay":
      return link.delay(toxic.ms);
    case "break":
      return link.breakSometimes(toxic.percent, () => chance.share());
    case "slow":
      return link.slow(toxic.bytesPerSecond);
  }
};

/** Does to one link, or to both ways of it, what a fault says. It ends by itself: what other faults do to them stays. */
export const bendLinks = async (
  cluster: Cluster,
  { from, to, isBothWays, toxic }: Extract<InjectedFault, { kind: "link" }>,
  chance: Chance,
): Promise<Heal> => {
  const [source, target] = [processOf(from), processOf(to)];
  const links = [cluster.link(source, target), ...(isBothWays ? [cluster.link(target, source)] : [])];
  const undoes = links.map((link) => poison(link, toxic, chance));
  return async () => {
    for (const undo of undoes) undo();
  };
};
