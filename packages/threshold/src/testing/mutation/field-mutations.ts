import { ENVELOPE_KIND } from "../../session/envelope.ts";
import { type Cast, type Mutation, outcomeOf, outcomeOfPayload, prefixed } from "./cast.ts";
import { liesOfFields } from "./field-lies.ts";
import { payloadIn, payloadLie, payloadsElsewhere } from "./message-lies.ts";
import type { Expected } from "./verdict.ts";

const NOWHERE = { payloads: new Map<string, Uint8Array>(), integers: new Map<string, bigint>() };

/**
 * Each field, wrong to one who can notice. The last of many alike may be for the last receiver, or be looked at by
 * it after what honest parties said.
 */
export const fieldMutations = <Output>(cast: Cast<Output>, honest: Uint8Array): readonly Mutation[] => {
  const { protocol, kind, victim, bystander } = cast;
  const elsewhere = { payloads: payloadsElsewhere(cast), integers: protocol.integers ?? NOWHERE.integers };
  return liesOfFields(cast.codec, honest, elsewhere).map(({ path, isLast, lies }) => {
    const listener = isLast && kind !== ENVELOPE_KIND.direct ? bystander : victim;
    return {
      name: path === "" ? "whose only value is wrong" : `whose ${path} is wrong`,
      violations: () =>
        lies.flatMap(({ name, payload }) => prefixed(name, outcomeOfPayload(cast, payload, listener))),
    };
  });
};

/** Every field once more, for those who check honest parties before they check the cheat. */
export const bystanderMutations = <Output>(cast: Cast<Output>, honest: Uint8Array): readonly Mutation[] => {
  const { stage, kind, cheat, victim, bystander } = cast;
  const isDirect = kind === ENVELOPE_KIND.direct;
  const payload = isDirect ? payloadIn(stage, kind, cheat, bystander) : honest;
  const to = isDirect ? bystander : "all";
  const told = isDirect
    ? ({ heard: [bystander], until: "first", expected: "named" } as const)
    : ({ heard: [victim, bystander], until: "heard", expected: "named by all" } as const);
  const fields = liesOfFields(cast.codec, payload ?? honest, NOWHERE).filter(({ isBetween }) => !isBetween);
  return [
    {
      name: `with any field wrong ${isDirect ? "to another receiver" : "alike to all"}`,
      violations: () =>
        fields.flatMap(({ path, lies: [lie] }) => {
          if (lie === undefined) return [];
          const lies = [payloadLie(stage, kind, cheat, to, lie.payload)];
          return prefixed(path, outcomeOf(cast, { ...told, lies }));
        }),
    },
  ];
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
