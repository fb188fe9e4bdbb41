import { ENVELOPE_KIND } from "../../session/envelope.ts";
import { type Cast, type Mutation, outcomeOf, outcomeOfPayload, prefixed } from "./cast.ts";
import { liesOfFields } from "./field-lies.ts";
import { payloadIn, payloadLie, payloadsElsewhere } from "./message-lies.ts";
import type { Expected } from "./verdict.ts";

const NOWHERE = { payloads: new Map<string, Uint8Array>(), integers: new Map<string, bigint>() };

const expectedOf = <Output>({ joint }: Cast<Output>, path: string): Expected =>
  joint.includes(path) ? "named or awaited" : "named";

/**
 * Each field, wrong to one who can notice. The last of many alike may be for the last receiver, or be looked at by
 * it after what honest parties said.
 */
export const fieldMutations = <Output>(cast: Cast<Output>, honest: Uint8Array): readonly Mutation[] => {
  const { protocol, kind, victim, bystander } = cast;
  const elsewhere = { payloads: payloadsElsewhere(cast), integers: protocol.integers ?? NOWHERE.integers };
  return liesOfFields(cast.codec, honest, elsewhere).map(({ path, isLast, lies }) => {
    const listener = isLast && kind !== ENVELOPE_KIND.direct ? bystander : victim;
    const expected = expectedOf(cast, path);
    return {
      name: path === "" ? "whose only value is wrong" : `whose ${path} is wrong`,
      violations: () =>
        lies.flatMap(({ name, payload }) =>
          prefixed(name, outcomeOfPayload(cast, payload, listener, expected)),
        ),
    };
  });
};

/** The first and the last field once more, for those who look at honest parties before they look at the cheat. */
export const bystanderMutations = <Output>(cast: Cast<Output>, honest: Uint8Array): readonly Mutation[] => {
  const { stage, kind, cheat, bystander } = cast;
  const payload = kind === ENVELOPE_KIND.direct ? payloadIn(stage, kind, cheat, bystander) : honest;
  const singles = liesOfFields(cast.codec, payload ?? honest, NOWHERE).filter(({ isSingle }) => isSingle);
  return singles
    .filter((field) => field === singles[0] || field === singles.at(-1))
    .map(({ path, lies }) => ({
      name: `whose ${path === "" ? "value" : path} is wrong to who sees an honest one first`,
      violations: () =>
        lies
          .slice(0, 1)
          .flatMap(({ payload: lie }) => outcomeOfPayload(cast, lie, bystander, expectedOf(cast, path))),
    }));
};

/** A lie that was committed to: the commitment opens, and the content must still not stand. */
export const committedMutations = <Output>(cast: Cast<Output>, honest: Uint8Array): readonly Mutation[] => {
  const { protocol, rehearsal, kind, cheat, victim, stage } = cast;
  const { committed } = protocol;
  const first = rehearsal.stages.find(({ round }) => round === committed?.commitmentRound);
  const config = stage.opened.sessions.get(cheat)?.config;
  const isCommitted = committed?.round === stage.round && kind === ENVELOPE_KIND.broadcast;
  if (committed === undefined || !isCommitted || first === undefined || config === undefined) return [];
  const integers = protocol.integers ?? new Map<string, bigint>();
  const tell = (payload: Uint8Array, expected: Expected): readonly string[] => {
    const commitment = committed.commit(payload, config);
    if (commitment === undefined) return []; // nothing commits to what does not decode
    const lies = [
      payloadLie(first, ENVELOPE_KIND.broadcast, cheat, "all", commitment),
      payloadLie(stage, kind, cheat, "all", payload),
    ];
    const until = expected === "named" ? "first" : "rest";
    return outcomeOf({ ...cast, stage: first }, { lies, heard: [victim], until, expected });
  };
  const fields = liesOfFields(cast.codec, honest, { payloads: payloadsElsewhere(cast), integers }).filter(
    ({ isBetween }) => !isBetween,
  );
  return fields.map(({ path, lies }): Mutation => {
    const isFree = committed.free.includes(path);
    const told = isFree ? lies.slice(0, 1) : lies;
    return {
      name: `whose ${path} is ${isFree ? "another" : "wrong"} and committed to`,
      violations: () =>
        told.flatMap(({ name, payload }) =>
          prefixed(name, tell(payload, isFree ? "named or harmless" : "named")),
        ),
    };
  });
};
