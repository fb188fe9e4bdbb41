import { getEnvironmentData, parentPort, workerData } from "node:worker_threads";
import type { SessionKey } from "@conclave/cluster";
import { type ComputeTask, forClone, fromClone } from "@conclave/cluster/compute";
import type { Envelope } from "@conclave/threshold";
import { lieNamed, type NamedLie } from "@conclave/threshold/testing";
import type {
  FromWorker,
  SentFromWorker,
  SentStart,
  SentToWorker,
  ToWorker,
} from "../../compute/messages.ts";
import { FAULTS_OF_WORKERS, readingFaultOrders } from "./orders.ts";

/**
 * The compute worker of a signer that lies while its orders say so, and is otherwise honest. It changes one field in
 * each message of a kind, signs the message with the signer's key, and does not report the results of those sessions.
 */
const PROTOCOLS: Partial<Record<ComputeTask["kind"], readonly NamedLie["protocol"][]>> = {
  "open-auxiliary": ["aux"],
  "open-key": ["keygen"],
  "open-import": ["import"],
  "open-refresh": ["refresh"],
  "open-reshare": ["reshare"],
  "open-presigning": ["presign", "sign"],
  "open-pooled-signing": ["sign"],
  "open-frost": ["frost"],
};
/** Most sessions that are remembered; a worker holds fewer. */
const SESSIONS_MAX = 1_024;

const orders = readingFaultOrders(String(getEnvironmentData(FAULTS_OF_WORKERS) ?? ""));
const start: SentStart = workerData;
const { parameters, secrets } = fromClone(start).host;
const protocols = new Map<SessionKey, readonly NamedLie["protocol"][]>();
const hasLied = new Set<SessionKey>();

const note = (message: ToWorker): void => {
  if (message.kind !== "task") return;
  const opened = PROTOCOLS[message.task.kind];
  if (opened === undefined) return;
  for (const oldest of protocols.keys()) {
    if (protocols.size < SESSIONS_MAX) break;
    protocols.delete(oldest);
    hasLied.delete(oldest);
  }
  protocols.set(message.session, opened);
};

const liesOf = (session: SessionKey): readonly NamedLie[] =>
  orders().lies.flatMap((name) => {
    const named = lieNamed(name);
    return named.ok && protocols.get(session)?.includes(named.value.protocol) === true ? [named.value] : [];
  });

/** The message to send instead; undefined for none. */
const said = (answer: FromWorker): FromWorker | undefined => {
  if (answer.kind !== "result") return answer;
  const { session, result } = answer;
  if (!("send" in result)) return answer;
  const lies = liesOf(session);
  const identity = secrets.reveal().identity;
  const bent = (envelope: Envelope): Envelope =>
    lies.reduce((said, lie) => lie.bend(said, parameters, identity) ?? said, envelope);
  const send = result.send.map(bent);
  const isLie = send.some((envelope, at) => envelope !== result.send[at]);
  if (isLie) hasLied.add(session);
  else if (hasLied.has(session) && result.kind !== "running") return undefined;
  return isLie ? { ...answer, result: { ...result, send } } : answer;
};

if (parentPort !== null) {
  const port = parentPort;
  const post = port.postMessage.bind(port);
  port.postMessage = (answer: SentFromWorker) => {
    const instead = said(fromClone(answer));
    if (instead !== undefined) post(forClone(instead));
  };
  // before the worker's own listener, so that a session is known before it sends anything
  port.on("message", (messages: SentToWorker) => {
    for (const message of messages) note(fromClone(message));
  });
}

void import("../../compute/worker.ts");
