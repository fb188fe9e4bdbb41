import type { Roster } from "@conclave/platform/config";

const listed = (ids: readonly string[]): string => ids.join(", ");

/** The signers that the change under way adds. */
const newcomers = ({ signers, change, changes = [] }: Roster): readonly Roster["signers"][number][] => {
  const since = change?.since ?? changes.length - 1;
  const added = changes.slice(since).flatMap((entry) => entry.added);
  return signers.filter(({ index }) => added.includes(index));
};

const putOut = ({ change, changes = [] }: Roster): readonly string[] =>
  changes.slice(change?.since ?? changes.length - 1).flatMap(({ removed }) => removed.map(({ id }) => id));

/** The steps, once a change has begun, of an operator who runs each process by other means, such as containers. */
export const stepsUnderWay = (state: string, roster: Roster): readonly string[] => {
  const fresh = newcomers(roster);
  const gone = putOut(roster);
  const others = roster.signers.filter((signer) => !fresh.includes(signer)).map(({ id }) => id);
  return [
    `The change stands in ${state}/cluster. No process runs by it yet:`,
    "- Every process takes roster.json and ca.crt of that folder.",
    ...fresh.map(
      ({ id, address }) =>
        `- ${id} is new: its machine gets ${state}/${id}. The roster has its address as ${address}; where it is another, write that there first.`,
    ),
    `- Restart the gateways, then the orchestrators${fresh.length === 0 ? "" : `, then start ${listed(fresh.map(({ id }) => id))}`}.`,
    `- Then restart ${listed(others)}, one after the other, each once the one before is ready.`,
    ...(gone.length === 0 ? [] : [`- ${listed(gone)} is out: stop it for good.`]),
    "Then `conclave roster move` moves the keys.",
  ];
};

/** The steps of the same operator once the keys are moved. @param left ids of the signers that left */
export const stepsAtTheEnd = (state: string, left: readonly string[]): readonly string[] => [
  `The change is done: every process takes ${state}/cluster/roster.json. Restart the gateways, the orchestrators, and then the signers one`,
  "after the other, each once the one before is ready.",
  ...(left.length === 0
    ? []
    : [`Then stop ${listed(left)} for good: no key of the cluster needs its shares any more.`]),
];
