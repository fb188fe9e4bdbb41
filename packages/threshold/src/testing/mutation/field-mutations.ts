import type { PartyIndex } from "../../fault.ts";
import { ENVELOPE_KIND } from "../../session/envelope.ts";
import { type Cast, type Mutation, outcomeOf, outcomeOfPayload, prefixed } from "./cast.ts";
import { type LiesOfField, liesOfFields } from "./field-lies.ts";
import type { Lie } from "./lie.ts";
import { payloadIn, payloadLie, payloadsElsewhere } from "./message-lies.ts";
import type { Stage } from "./rehearsal.ts";

const NOWHERE = { payloads: new Map<string, Uint8Array>(), integers: new Map<string, bigint>() };

/**
 * The parties that receive a lie in a field. One receiver is enough for an echoed broadcast, which all
 * compare, and for a direct message; the last of several like items may be for the last receiver. Any other
 * broadcast goes to each honest party in turn, because one of them checks the cheat first and the other an
 * honest party.
 */
const listenersOf = <Output>(
  { kind, isEchoed, victim, bystander }: Cast<Output>,
  { isLast, isBetween }: LiesOfField,
): readonly PartyIndex[] => {
  if (kind !== ENVELOPE_KIND.broadcast || isBetween) return [victim];
  if (isEchoed) return [isLast ? bystander : victim];
  return [victim, bystander];
};

/** Lies in each field, to each party that can detect them. */
export const fieldMutations = <Output>(cast: Cast<Output>, honest: Uint8Array): readonly Mutation[] => {
  const elsewhere = {
    payloads: payloadsElsewhere(cast),
    integers: cast.protocol.integers ?? NOWHERE.integers,
  };
  return liesOfFields(cast.codec, honest, elsewhere).map((field) => {
    const { path, lies } = field;
    const delivered = listenersOf(cast, field).flatMap((listener) =>
      lies.map((lie) => ({ listener, ...lie })),
    );
    return {
      name: path === "" ? "whose only value is wrong" : `whose ${path} is wrong`,
      violations: () =>
        delivered.flatMap(({ name, payload, listener }) =>
          prefixed(name, outcomeOfPayload(cast, payload, cast.expected(path), listener)),
        ),
    };
  });
};

/** Lies in the first and last field to the party that checks an honest party first, where `listenersOf` omits it. */
export const bystanderMutations = <Output>(cast: Cast<Output>, honest: Uint8Array): readonly Mutation[] => {
  const { stage, kind, cheat, bystander, isEchoed } = cast;
  if (kind === ENVELOPE_KIND.broadcast && !isEchoed) return [];
  const payload = kind === ENVELOPE_KIND.direct ? payloadIn(stage, kind, cheat, bystander) : honest;
  const singles = liesOfFields(cast.codec, payload ?? honest, NOWHERE).filter(({ isSingle }) => isSingle);
  return singles
    .filter((field) => field === singles[0] || field === singles.at(-1))
    .map(({ path, lies }) => ({
      name: `whose ${path === "" ? "value" : path} is wrong to who sees an honest one first`,
      violations: () =>
        lies
          .slice(0, 1)
          .flatMap(({ payload: lie }) => outcomeOfPayload(cast, lie, cast.expected(path), bystander)),
    }));
};

/**
 * The lie of a payload in a committed message, and the lie of a fitting commitment; undefined when no
 * commitment exists.
 */
const committedLies = <Output>(
  { protocol, rehearsal, stage, kind, cheat }: Cast<Output>,
  to: Lie["to"],
  payload: Uint8Array,
): { readonly first: Stage<Output>; readonly lies: readonly Lie[] } | undefined => {
  const { committed } = protocol;
  const first = rehearsal.stages.find(({ round }) => round === committed?.commitmentRound);
  const config = stage.opened.sessions.get(cheat)?.config;
  if (first === undefined || config === undefined) return undefined;
  const commitment = committed?.commit(payload, config);
  if (commitment === undefined) return undefined; // a payload that does not decode has no commitment
  const lies = [payloadLie(first, kind, cheat, to, commitment), payloadLie(stage, kind, cheat, to, payload)];
  return { first, lies };
};

/** A lie with a fitting commitment: the commitment opens, so the content must fail a check. */
const committedMutation = <Output>(cast: Cast<Output>, { path, lies }: LiesOfField): Mutation => {
  const isFree = cast.protocol.committed?.free.includes(path) ?? false;
  const violationsOf = (payload: Uint8Array): readonly string[] => {
    const committed = committedLies(cast, "all", payload);
    if (committed === undefined) return [];
    const delivered = { lies: committed.lies, heard: [cast.victim] };
    return isFree
      ? outcomeOf(
          { ...cast, stage: committed.first },
          { ...delivered, until: "rest", expected: "named or harmless" },
        )
      : outcomeOf({ ...cast, stage: committed.first }, { ...delivered, until: "first", expected: "named" });
  };
  return {
    name: `whose ${path} is ${isFree ? "another" : "wrong"} and committed to`,
    violations: () =>
      (isFree ? lies.slice(0, 1) : lies).flatMap(({ name, payload }) =>
        prefixed(name, violationsOf(payload)),
      ),
  };
};

/** P12: one party alone receives another commitment, with its opening. */
const twoFacedMutation = <Output>(
  cast: Cast<Output>,
  to: PartyIndex,
  { path, lies }: LiesOfField,
): Mutation => ({
  name: `whose ${path} is another to party ${to} alone, as was committed to it alone`,
  violations: () => {
    const [lie] = lies;
    const committed = lie && committedLies(cast, to, lie.payload);
    if (committed === undefined) return ["no such lie can be told"];
    const delivered = { lies: committed.lies, heard: [to] };
    return outcomeOf(
      { ...cast, stage: committed.first },
      { ...delivered, until: "rest", expected: "named by all" },
    );
  },
});

/** Lies about a committed message, together with fitting commitments. */
export const committedMutations = <Output>(cast: Cast<Output>, honest: Uint8Array): readonly Mutation[] => {
  const { protocol, kind, stage, victim, bystander } = cast;
  const { committed } = protocol;
  if (committed?.round !== stage.round || kind !== ENVELOPE_KIND.broadcast) return [];
  const elsewhere = { payloads: payloadsElsewhere(cast), integers: protocol.integers ?? NOWHERE.integers };
  const fields = liesOfFields(cast.codec, honest, elsewhere).filter(({ isBetween }) => !isBetween);
  const free = fields.filter(({ path }) => committed.free.includes(path));
  return [
    ...fields.map((field) => committedMutation(cast, field)),
    ...[victim, bystander].flatMap((to) =>
      free.slice(0, 1).map((field) => twoFacedMutation(cast, to, field)),
    ),
  ];
};
