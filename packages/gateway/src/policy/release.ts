import {
  type Approval,
  type ApprovalSubject,
  approvalPending,
  askFurther,
  decisionOf,
  type PeopleBehind,
  type PolicyDecision,
  type PolicyId,
  type Result,
} from "@conclave/custody";
import {
  type Connection,
  lockChainRequest,
  recordEvents,
  rejectSubject,
  showSubject,
  updateAsked,
} from "@conclave/platform";
import { type Releasable, releasableRequest } from "../chain-request/release-request.ts";
import { releasableChange } from "../change-request/apply-change.ts";
import type { Dependencies } from "../dependencies.ts";
import { releasableSignature } from "../signature/release.ts";
import { judgeAgain } from "./judge-again.ts";

/** The dependencies of a release. */
type Releasing = Pick<
  Dependencies,
  "authority" | "prices" | "now" | "families" | "chains" | "reading" | "world"
>;

/**
 * Releases what people approved, under a decision that names them (INV-8): the authority signs it and it is due, or the
 * change is made. Before that everything is judged again by the current state: the requester's right, wallet and key,
 * and the policies with their limits (docs/policies.md, "What is judged when"). A request that fails this is rejected
 * with the reason, as every approval must end (INV-5). An aborted request stays unchanged.
 * @param approval Approved, and not stored yet
 * @returns the approval to store: Pending again when policies ask further people
 */
export const releaseSubject = async (
  dependencies: Releasing,
  connection: Connection,
  approval: Approval,
  people: PeopleBehind,
  date: string,
): Promise<Approval> => {
  const { subject } = approval;
  const reject = async (reason: string): Promise<Approval> => {
    await rejectSubject(connection, subject, { reason, date });
    return approval;
  };
  const releasable = await releasableOf(dependencies, connection, subject);
  if (!releasable.ok) return reject(releasable.problem.message);
  const judged = await judgeAgain(dependencies, connection, approval, releasable.value, date);
  switch (judged.kind) {
    case "Rejected":
      return reject(judged.reason);
    case "Allowed":
      await release(releasable.value, approval, people, judged.policies);
      return approval;
    case "AskedFurther": {
      const asked = askFurther(approval, { ...judged, date }, people);
      await updateAsked(connection, asked);
      if (asked.status === "Approved") return releaseSubject(dependencies, connection, asked, people, date);
      await recordEvents(connection, [approvalPending(asked, await showSubject(connection, subject))]);
      return asked;
    }
  }
};

const releasableOf = async (
  dependencies: Releasing,
  connection: Connection,
  { kind, id }: ApprovalSubject,
): Promise<Result<Releasable>> => {
  switch (kind) {
    case "change-request":
      return releasableChange(connection, id);
    case "signature":
      return releasableSignature(dependencies, connection, id);
    case "transfer":
    case "transaction": {
      const request = await lockChainRequest(connection, id);
      if (request === undefined) throw new Error(`${id} is not there to be released`);
      return releasableRequest(dependencies, connection, request);
    }
  }
};

const release = async (
  { release: letGo }: Releasable,
  approval: Approval,
  people: PeopleBehind,
  judgedBy: readonly PolicyId[],
): Promise<void> => {
  const released = await letGo(decisionAfter(approval, people, judgedBy));
  if (!released.ok) throw new Error(`${approval.subject.id} was releasable: ${released.problem.message}`);
};

/** The decision for the record and the signers, with the policies of both judgements. */
const decisionAfter = (
  approval: Approval,
  people: PeopleBehind,
  judgedBy: readonly PolicyId[],
): PolicyDecision => {
  const decision = decisionOf(approval, people);
  if (decision === undefined) throw new Error(`${approval.id} is not approved`);
  return { ...decision, policies: [...new Set([...decision.policies, ...judgedBy])] };
};
