import { fail, ok, type Result } from "@conclave/custody";
import type { Signer } from "@conclave/platform/coordination";
import type { PartyIndex } from "@conclave/threshold";
import type { Control } from "../../control.ts";
import { openLine } from "./line.ts";
import type { MemoryNetwork, Reached } from "./memory-network.ts";

/** As of the calls over gRPC: a call without an answer for so long is an outage. */
const CALL_MS_MAX = 5_000;

/** One signer as an orchestrator in the same process reaches it: the calls of `SignerClient`, over a network in memory. */
export const memorySigner = (network: MemoryNetwork, index: PartyIndex): Signer => {
  const ask = <Answer>(question: (control: Control) => Promise<Result<Answer>>) =>
    asked(network, index, question);
  const know = <Answer>(view: (views: Control["views"]) => Answer) =>
    ask(async ({ views }) => ok(view(views)));
  const subscriptions = new Set<() => void>();
  return {
    index,
    begin: (named, command, listener) => beginOver(network, index, { ...named, command }, listener),
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
      const stop = watch(network, index, changed);
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

/** Asks over the network and back; an outage when the signer is away or dies, or is silent for CALL_MS_MAX. */
const asked = <Answer>(
  network: MemoryNetwork,
  index: PartyIndex,
  question: (control: Control) => Promise<Result<Answer>>,
): Promise<Result<Answer>> =>
  new Promise((resolve) => {
    const line = openLine(network.world);
    const late = network.world.after(CALL_MS_MAX, () => resolve(AWAY));
    const end = (answer: Result<Answer>): void =>
      line(() => {
        late.stop();
        resolve(answer);
      });
    line(() => {
      const signer = network.reach(index);
      if (signer === undefined) end(AWAY);
      else
        question(signer.control).then(
          (answer) => end(network.reach(index) === signer ? answer : AWAY),
          () => end(fail("Internal")),
        );
    });
  });

/** Begins a session over the network: its reports come in order, and `lost` when its signer dies before the last. */
const beginOver = (
  network: MemoryNetwork,
  index: PartyIndex,
  asked: Parameters<Control["begin"]>[0],
  listener: Parameters<Signer["begin"]>[2],
): { readonly cancel: () => void } => {
  const [out, back] = [openLine(network.world), openLine(network.world)];
  let isOver = false;
  let session: { readonly cancel: () => void } | undefined;
  const end = (lastWord: () => void): void => {
    if (isOver) return;
    isOver = true;
    forget();
    lastWord();
  };
  let signer: Reached | undefined;
  const lose = (): void => back(() => end(() => listener.lost("the signer cannot be reached")));
  const forget = network.onChange(() => {
    if (signer !== undefined && network.reach(index) !== signer) lose();
  });
  out(() => {
    if (isOver) return;
    signer = network.reach(index);
    if (signer === undefined) {
      lose();
      return;
    }
    session = signer.control.begin(asked, (report) =>
      back(() => {
        if (isOver) return;
        if (report.kind === "progress") listener.report(report);
        else end(() => listener.report(report));
      }),
    );
  });
  return { cancel: () => end(() => out(() => session?.cancel())) };
};

/** Says whether a signer serves: at once, and at each change. */
const watch = (
  network: MemoryNetwork,
  index: PartyIndex,
  changed: (isServing: boolean) => void,
): (() => void) => {
  const line = openLine(network.world);
  let before: Reached | undefined;
  let wasServing: boolean | undefined;
  let isClosed = false;
  const look = (): void => {
    const signer = network.reach(index);
    const isServing = signer?.isReady === true;
    if (isServing === wasServing && signer === before) return;
    [before, wasServing] = [signer, isServing];
    line(() => {
      if (!isClosed) changed(isServing);
    });
  };
  const forget = network.onChange(look);
  look();
  return () => {
    isClosed = true;
    forget();
  };
};
