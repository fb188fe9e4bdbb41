import { type RawData, type WebSocket, WebSocketServer } from "ws";
import type { TakeOver } from "../../http/listen.ts";
import { AGAVE_CODES } from "../refusal.ts";
import type { AgaveAnswer } from "../rpc/method.ts";
import { AGAVE_PARSE_ERROR, type AgaveCall, agaveReply, readAgaveCall } from "../rpc/rpc.ts";
import { readAgaveInterest } from "../rpc/subscription.ts";
import type { AgaveNode } from "./running.ts";
import { sendAgaveJson } from "./subscriptions.ts";

const MESSAGE_BYTES_MAX = 16 * 1_024;

const textOf = (data: RawData): string => {
  if (Array.isArray(data)) return Buffer.concat(data).toString();
  return (data instanceof ArrayBuffer ? Buffer.from(data) : data).toString();
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

interface Answered {
  readonly answer: Exclude<AgaveAnswer, { readonly kind: "lost" }>;
  /** the number of a new subscription, whose past must be reported */
  readonly subscription?: number;
}

const refused = (code: number, message: string): Answered => ({ answer: { kind: "error", code, message } });

const UNSUBSCRIBES = /^(slot|root|signature|account)Unsubscribe$/;

const answerOf = (
  { subscriptions }: AgaveNode,
  socket: WebSocket,
  { method, parameters }: AgaveCall,
): Answered => {
  if (UNSUBSCRIBES.test(method)) {
    const [subscription] = parameters;
    const isKnown = typeof subscription === "number" && subscriptions.unsubscribe(socket, subscription);
    return isKnown
      ? { answer: { kind: "result", result: true } }
      : refused(AGAVE_CODES.invalidParams, "Invalid subscription id.");
  }
  const interest = readAgaveInterest(method, parameters);
  if (interest === undefined) return refused(AGAVE_CODES.methodNotFound, "Method not found");
  if (typeof interest === "string") return refused(AGAVE_CODES.invalidParams, interest);
  const subscription = subscriptions.subscribe(socket, interest);
  return subscription === undefined
    ? refused(AGAVE_CODES.internal, "a connection can have no more subscriptions")
    : { answer: { kind: "result", result: subscription }, subscription };
};

const INVALID = refused(AGAVE_CODES.invalidRequest, "Invalid request").answer;

const answerMessage = (node: AgaveNode, socket: WebSocket, text: string): void => {
  const message = parsed(text);
  const call = readAgaveCall(message);
  if (call === undefined) {
    sendAgaveJson(socket, message === undefined ? AGAVE_PARSE_ERROR : agaveReply(null, INVALID));
    return;
  }
  const { answer, subscription } = answerOf(node, socket, call);
  sendAgaveJson(socket, agaveReply(call.id, answer));
  if (subscription !== undefined) node.subscriptions.notifyOfPast(socket, subscription, node.host.state);
};

export interface AgaveSockets {
  readonly takeOver: TakeOver;
  close(): void;
}

/** Serves subscriptions over WebSocket, on the port of JSON-RPC. */
export const openAgaveSockets = (node: AgaveNode): AgaveSockets => {
  const server = new WebSocketServer({ noServer: true, maxPayload: MESSAGE_BYTES_MAX });
  server.on("connection", (socket) => {
    socket.on("message", (data) => answerMessage(node, socket, textOf(data)));
    socket.on("close", () => node.subscriptions.forget(socket));
    // a frame is too long, or the data is not WebSocket: the library closes the connection
    socket.on("error", () => node.subscriptions.forget(socket));
  });
  return {
    takeOver: (request, socket, head) => {
      server.handleUpgrade(request, socket, head, (opened) => server.emit("connection", opened, request));
    },
    close: () => {
      for (const socket of server.clients) socket.terminate();
      server.close();
    },
  };
};
