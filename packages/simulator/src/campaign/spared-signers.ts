import {
  type Chance,
  type ChaosPlan,
  type InjectedFault,
  type PlannedFault,
  placeName,
} from "@conclave/chaos";

const TENTH_MS = 100;

type Size = Pick<ChaosPlan, "signers" | "threshold" | "orchestrators">;

const changedSigner = (fault: InjectedFault): string | undefined =>
  fault.kind === "store" ? `signer-${fault.signer}` : undefined;

/**
 * Leaves out changes of stores beyond those that a cluster can do without: a signer whose store was changed signs no earlier request any
 * more, and one whose store lost an entry stays away.
 */
export const sparingStores = (
  { signers, threshold }: Size,
  faults: readonly PlannedFault[],
): readonly PlannedFault[] => {
  const changed = new Set<string>();
  const lost = new Set<string>();
  return faults.filter(({ fault }) => {
    const signer = changedSigner(fault);
    if (signer === undefined) return true;
    if (lost.has(signer) || (!changed.has(signer) && changed.size >= signers - threshold)) return false;
    changed.add(signer);
    if (fault.kind === "store" && fault.change.kind === "loses") lost.add(signer);
    return true;
  });
};

/**
 * Draws which machines are lost for good, so that a fixed quorum is left for the end of a run: as many signers as have to sign, of which no
 * store was changed, and one orchestrator.
 */
export const drawLosses = (
  chance: Chance,
  { signers, threshold, orchestrators }: Size,
  faults: readonly PlannedFault[],
  lastsMs: number,
): readonly PlannedFault[] => {
  const changed = new Set(faults.flatMap(({ fault }) => changedSigner(fault) ?? []));
  const places = (kind: "signer" | "orchestrator", count: number) =>
    Array.from({ length: count }, (_, at) => ({ kind, number: at + 1 }) as const);
  const sound = places("signer", signers).filter((place) => !changed.has(placeName(place)));
  const drawn = <T>(from: readonly T[], most: number): readonly T[] => {
    const left = [...from];
    return Array.from({ length: chance.between(0, Math.max(0, most)) }, () =>
      left.splice(chance.between(0, left.length - 1), 1),
    ).flat();
  };
  const lost = [
    ...drawn(sound, sound.length - threshold),
    ...drawn(places("orchestrator", orchestrators), orchestrators - 1),
  ];
  return lost.map((place) => ({
    fault: { kind: "lose", places: [place] },
    start: { kind: "time", ms: chance.between(1, Math.floor(lastsMs / TENTH_MS) - 1) * TENTH_MS },
    lastsMs: undefined,
  }));
};
