import type { Chance, Heal, InjectedFault, Toxic } from "@conclave/chaos";
import type { Cluster, Link } from "@conclave/testbed";
import { processOf } from "./process-names.ts";

const poison = (link: Link, toxic: Toxic, chance: Chance): void => {
  switch (toxic.kind) {
    case "cut":
      link.cut();
      break;
    case "delay":
      link.delay(toxic.ms);
      break;
    case "break":
      link.breakSometimes(toxic.percent, () => chance.share());
      break;
    case "slow":
      link.slow(toxic.bytesPerSecond);
  }
};

/** Does to one link, or to both ways of it, what a fault says. */
export const bendLinks = async (
  cluster: Cluster,
  { from, to, isBothWays, toxic }: Extract<InjectedFault, { kind: "link" }>,
  chance: Chance,
): Promise<Heal> => {
  const [source, target] = [processOf(from), processOf(to)];
  const links = [cluster.link(source, target), ...(isBothWays ? [cluster.link(target, source)] : [])];
  for (const link of links) poison(link, toxic, chance);
  return async () => {
    for (const link of links) link.heal();
  };
};
