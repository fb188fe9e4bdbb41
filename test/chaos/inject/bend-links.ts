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

/** Applies a fault to one link, in one or both directions. Its healing leaves the effects of other faults on the link. */
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
