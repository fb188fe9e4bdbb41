import {
  type ChaosPlan,
  type InjectedFault,
  type Place,
  type PlannedFault,
  parsePlan,
  planText,
} from "@conclave/chaos";

const WALLETS_MIN = 2;
const MS_PER_SECOND = 1_000;
/** The loads that are tried are of whole tenths of a second, which a plan says in few digits. */
const TENTH_MS = 100;
const LOAD_SHARES = [0.25, 0.5, 0.75];

/**
 * Proposes smaller plans, the smallest first among those of a kind: fewer faults, fewer places of a fault, a shorter and a slower load,
 * fewer wallets, fewer orchestrators and gateways. Each can be written in the language of plans.
 */
export const smallerPlans = (plan: ChaosPlan): readonly ChaosPlan[] =>
  [
    ...withFewerFaults(plan),
    ...withFewerPlaces(plan),
    ...withLessLoad(plan),
    ...withFewerWallets(plan),
    ...withFewerServices(plan, "orchestrator"),
    ...withFewerServices(plan, "gateway"),
  ].filter((smaller) => parsePlan(planText(smaller)).ok);

/** Leaves out all faults, then each half, each quarter, and so on down to each fault. */
const withFewerFaults = (plan: ChaosPlan): readonly ChaosPlan[] => {
  const count = plan.faults.length;
  const smaller: ChaosPlan[] = [];
  for (let size = count; size > 0; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let first = 0; first < count; first += size)
      smaller.push({ ...plan, faults: plan.faults.toSpliced(first, size) });
  }
  return smaller;
};

/** Leaves out each place of a fault that happens to several. */
const withFewerPlaces = (plan: ChaosPlan): readonly ChaosPlan[] =>
  plan.faults.flatMap((planned, at) => {
    const { fault } = planned;
    if (!("places" in fault) || fault.places.length < 2) return [];
    return fault.places.map((_, place) => {
      const narrower = { ...planned, fault: { ...fault, places: fault.places.toSpliced(place, 1) } };
      return { ...plan, faults: plan.faults.with(at, narrower) };
    });
  });

const withLessLoad = (plan: ChaosPlan): readonly ChaosPlan[] => {
  const { load } = plan;
  const shorter = LOAD_SHARES.map((share) => Math.ceil((load.lastsMs * share) / TENTH_MS) * TENTH_MS)
    .filter((lastsMs) => lastsMs < load.lastsMs)
    .map((lastsMs) => ({ ...load, lastsMs }));
  const perSecond = Math.ceil(load.perSecond / 2);
  const slower = perSecond < load.perSecond ? [{ ...load, perSecond }] : [];
  return [...shorter, ...slower].map((less) => ({
    ...plan,
    load: less,
    faults: plan.faults.filter(({ start }) => {
      if (start.kind === "time") return start.ms < less.lastsMs;
      return start.kind === "point" || start.number <= (less.lastsMs * less.perSecond) / MS_PER_SECOND;
    }),
  }));
};

const withFewerWallets = (plan: ChaosPlan): readonly ChaosPlan[] => {
  const { load } = plan;
  const wallets = Math.max(WALLETS_MIN, Math.floor(load.wallets / 2));
  return wallets < load.wallets ? [{ ...plan, load: { ...load, wallets } }] : [];
};

/** One orchestrator, then one less, without the faults of those that are gone. */
const withFewerServices = (plan: ChaosPlan, kind: "orchestrator" | "gateway"): readonly ChaosPlan[] => {
  const count = kind === "orchestrator" ? plan.orchestrators : plan.gateways;
  return [...new Set([1, count - 1])]
    .filter((fewer) => fewer > 0 && fewer < count)
    .map((fewer) => ({
      ...plan,
      ...(kind === "orchestrator" ? { orchestrators: fewer } : { gateways: fewer }),
      faults: plan.faults.flatMap((planned) => withoutServices(planned, kind, fewer)),
    }));
};

/** A fault without the places of services of a kind above a number; none where no place is left. */
const withoutServices = (planned: PlannedFault, kind: string, most: number): readonly PlannedFault[] => {
  const stays = (place: Place): boolean =>
    place.kind !== kind || !("number" in place) || place.number <= most;
  const { fault } = planned;
  if ("places" in fault) {
    const places = fault.places.filter(stays);
    return places.length === 0 ? [] : [{ ...planned, fault: { ...fault, places } }];
  }
  return onePlaced(fault).every(stays) ? [planned] : [];
};

const onePlaced = (fault: InjectedFault): readonly Place[] => {
  if (fault.kind === "clock") return [fault.place];
  return fault.kind === "link" ? [fault.from, fault.to] : [];
};
