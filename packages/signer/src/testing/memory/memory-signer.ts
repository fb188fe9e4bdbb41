import { fail, ok, type Result } from "@conclave/custody";
import type { Signer } from "@conclave/platform/coordination";
import type { PartyIndex } from "@conclave/threshold";
import type { Control } from "../../control.ts";
import { openLine } from "./line.ts";
import type { MemoryNetwork } from "./memory-network.ts";
import { memorySession, type SignerAtDistance } from "./memory-session.ts";
import { isCut, onSilence } from "./way.ts";

/** As of the calls over gRPC: a call without an answer for so long is an outage. */
const CALL_MS_MAX = 5_000;
/** Some bytes of a question, and of an answer, on a slow way. */
const CALL_BYTES = 500;

/**
 * One signer as an orchestrator in the same process reaches it: the calls of `SignerClient`, over a network in memory.
 * @param caller the name of the orchestrator, by which the network finds the ways between the two
 */
export const memorySigner = (
  network: MemoryNetwork,
  index: PartyIndex,
  caller: string = "orchestrator-1",
): Signer => {
  const connection = network.connection(caller, index);
  const ask = <Answer>(question: (control: Control) => Promise<Result<Answer>>) =>
    asked({ network, connection, index }, question);
  const know = <Answer>(view: (views: Control["views"]) => Answer) =>
    ask(async ({ views }) => ok(view(views)));
  const subscriptions = new Set<() => void>();
  return {
    index,
    begin: (named, command, listener) =>
      memorySession({ network, connection, index }, { ...named, command }, listener),
    activateKey: (keyId) => ask((control) => control.activateKey({ keyId })),
    discardKey: (keyId) => ask((control) => control.discardKey({ keyId })),
    switchEpoch: (certificate) => ask((control) => control.switchEpoch({ certificate })),
    attestKey: (keyId) => ask(async ({ views }) => known(views.attestation(keyId))),
    getKeyInfo: (keyId) => ask(async ({ views }) => known(views.keyInfo(keyId))),
    getCertificate: (subject) => know((views) => views.certificate(subject)),
    discardPresignatures: async (ids) => {
      const answer = await ask((control) => control.discardPresignatures({ ids }));
      return answer.ok ? ok(answer.value.count) : answer;
    },
    listPresignatures: (keyId) => know((views) => views.presignatures(keyId)),
    getSigned: (request) => ask(({ views }) => views.signed(request)),
    getStatus: () => know((views) => views.status()),
    listKeys: (keys) => ask(({ views }) => views.keys(keys)),
    watchHealth: (changed) => {
      const stop = watch({ network, connection, index }, changed);
      subscriptions.add(stop);
      return { close: stop };
    },
    close: () => {
      for (const stop of subscriptions) stop();
    },
  };
};

const AWAY = fail("ServiceUnavailable", {}, "The signer does not answer.");

const known = <Found>(found: Found | undefined): Result<Found> =>
  found === undefined ? fail("KeyUnknown") : ok(found);

/** Asks over the network and back; an outage when the signer is away or dies, or when nothing is heard for CALL_MS_MAX. */
const asked = <Answer>(
  { network, connection: { there, back }, index }: SignerAtDistance,
  question: (control: Control) => Promise<Result<Answer>>,
): Promise<Result<Answer>> =>
  new Promise((resolve) => {
    const [out, home] = [openLine(network.world, there), openLine(network.world, back)];
    const late = network.world.after(CALL_MS_MAX, () => resolve(AWAY));
    const hear = (answer: Result<Answer>): void => {
      late.stop();
      resolve(answer);
    };
    const reply = (answer: Result<Answer>): void =>
      home(CALL_BYTES, () => {
        if (!back.isCut) hear(back.breaks() ? AWAY : answer);
      });
    out(CALL_BYTES, () => {
      if (there.isCut) return;
      const signer = there.breaks() ? undefined : network.reach(index);
      if (signer === undefined) hear(AWAY);
      else
        signer.arrive(() =>
          question(signer.control).then(
            (answer) => reply(network.reach(index) === signer ? answer : AWAY),
            () => reply(fail("Internal")),
          ),
        );
    });
  });

/** Says whether a signer serves: at once, and at each change. Nothing is heard over a way that is cut, until that is noticed. */
const watch = (
  { network, connection, index }: SignerAtDistance,
  changed: (isServing: boolean) => void,
): (() => void) => {
  const line = openLine(network.world, connection.back);
  let before: ReturnType<typeof network.reach>;
  let wasServing: boolean | undefined;
  let isSilent = false;
  let isClosed = false;
  const look = (): void => {
    if (isCut(connection) && !isSilent) return;
    const signer = isSilent ? undefined : network.reach(index);
    const isServing = signer?.isReady === true;
    if (isServing === wasServing && signer === before) return;
    [before, wasServing] = [signer, isServing];
    line(0, () => {
      if (!isClosed) changed(isServing);
    });
  };
  const stops = [
    network.onChange(look),
    onSilence(network, connection, (silent) => {
      isSilent = silent;
      look();
    }),
  ];
  look();
  return () => {
    isClosed = true;
    for (const stop of stops) stop();
  };
};
