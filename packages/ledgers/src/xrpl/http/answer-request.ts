import { hexToBytes } from "@noble/hashes/utils.js";
import type { RippledAnswer } from "../rippled/answer.ts";
import { answerRippledQuery } from "../rippled/commands.ts";
import type { RippledRequest } from "../rippled/request.ts";
import { submitAnswer, submittedBlob } from "../rippled/submit.ts";
import type { RippledNode } from "./running.ts";

/** The answer to a request; undefined if an operator arranged that the answer is lost. */
export const answerRippledRequest = (
  { host }: RippledNode,
  request: RippledRequest,
): RippledAnswer | undefined => {
  if (request.command !== "submit") return answerRippledQuery({ ...request, state: host.state });
  const blob = submittedBlob(request);
  if (typeof blob !== "string") return blob;
  const failHard = request.params["fail_hard"] === true;
  const [effect] = host.apply({ kind: "submit", blob: hexToBytes(blob), failHard });
  if (effect === undefined || effect.kind === "closed") throw new Error("a submission has an outcome");
  return effect.replyIsLost ? undefined : submitAnswer(host.state, effect, blob, request.version);
};
