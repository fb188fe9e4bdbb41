import {
  type AnswerOfKey,
  type CoordinationOutcome,
  type KeyQuestion,
  type Machine,
  type Observer,
  runCoordinator,
  type SharedStandings,
  type SignerLink,
  shownLife,
  type WithStandings,
} from "@conclave/cluster";
import type { World } from "@conclave/custody";
import type { StreamReport } from "../grpc/index.ts";
import type { Signer } from "./signer.ts";
import type { Signers } from "./signers.ts";

export interface Coordination<Value> {
  /** resolves with the result; the coordinator may keep running for a while to clean up */
  readonly outcome: Promise<CoordinationOutcome<Value>>;
  /** resolves when the coordinator has closed */
  readonly closed: Promise<void>;
  /** cancels the open sessions */
  readonly stop: () => void;
}

/** The methods of this process's signers that a coordinator needs. */
type Reachable = Pick<Signers, "get" | "live" | "lives" | "noteLife" | "onChange"> &
  Pick<SignerLink, "apart">;

/**
 * Runs a coordinator over the signers of this process.
 *
 * @param standings the signers' reliability, as all coordinators of the process know it
 */
export const coordinate = <State extends WithStandings, Value>(
  world: World,
  standings: SharedStandings,
  machine: Machine<State, Value>,
  signers: Reachable,
  observer: Observer,
): Coordination<Value> => {
  let settled: (outcome: CoordinationOutcome<Value>) => void = () => undefined;
  let closed: () => void = () => undefined;
  const promised = {
    outcome: new Promise<CoordinationOutcome<Value>>((resolve) => {
      settled = resolve;
    }),
    closed: new Promise<void>((resolve) => {
      closed = resolve;
    }),
  };
  const { stop } = runCoordinator(world, standings, machine, linkOver(signers), observer, {
    settled,
    closed,
  });
  return { ...promised, stop };
};

/** The coordinator's link to the signers of this process: calls of the Control service. */
export const linkOver = (signers: Reachable): SignerLink => ({
  begin: (index, session, command, listener) => {
    const signer = signers.get(index);
    if (signer !== undefined) {
      const report = (said: StreamReport): void => {
        const life = shownLife(said);
        if (life !== undefined) signers.noteLife(index, life);
        listener.report(said);
      };
      return signer.begin(session, command, { ...listener, report });
    }
    listener.lost("it is not in the roster");
    return { cancel: () => undefined };
  },
  ask: (question, answered) => {
    const signer = signers.get(question.signer);
    if (signer === undefined) answered(UNANSWERED);
    else
      askedOf(signer, question).then(answered, () => {
        answered(UNANSWERED);
      });
  },
  discardPresignatures: (index, ids) => void signers.get(index)?.discardPresignatures(ids),
  lives: () => signers.lives(),
  live: () => signers.live(),
  ...(signers.apart === undefined ? {} : { apart: signers.apart }),
  onChange: (changed) => signers.onChange(changed),
});

const UNANSWERED: AnswerOfKey = { kind: "unanswered" };

const askedOf = async (signer: Signer, question: KeyQuestion): Promise<AnswerOfKey> => {
  const answer = await said(signer, question);
  if (!answer.ok) {
    const { problem } = answer;
    return problem.code === "ServiceUnavailable" ? UNANSWERED : { kind: "refused", problem };
  }
  const { value } = answer;
  return "state" in value ? { kind: "key-state", ...value } : { kind: "switched", ...value };
};

const said = (signer: Signer, question: KeyQuestion) => {
  switch (question.kind) {
    case "activate":
      return signer.activateKey(question.keyId);
    case "discard":
      return signer.discardKey(question.keyId);
    case "switch":
      return signer.switchEpoch(question.certificate);
  }
};
