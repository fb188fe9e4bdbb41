import { type RawData, type WebSocket, WebSocketServer } from "ws";
import type { TakeOver } from "../../http/listen.ts";
import type { RippledAnswer, RippledJson } from "../rippled/answer.ts";
import { versionOf } from "../rippled/request.ts";
import { answerRippledRequest } from "./answer-request.ts";
import { requestJson } from "./request-json.ts";
import { REQUEST_BYTES_MAX } from "./routes.ts";
import type { RippledNode } from "./running.ts";
import { sendJson } from "./streams.ts";

const MOST_REPEATED_CHARACTERS = 1_000;

const parsed = (text: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
};

/** The members of a request that its answer repeats, so that the client can match them. */
const frame = ({ id, api_version: version }: Readonly<Record<string, unknown>>): RippledJson => ({
  id: id === undefined ? undefined : requestJson(id),
  api_version: version === undefined ? undefined : requestJson(version),
  type: "response",
});

const response = (request: Readonly<Record<string, unknown>>, answer: RippledAnswer): RippledJson =>
  answer.ok
    ? { ...frame(request), result: answer.result, status: "success" }
    : { ...frame(request), ...answer.error, request: requestJson(request), status: "error" };

const error = (request: Readonly<Record<string, unknown>>, name: string): RippledJson => ({
  ...frame(request),
  error: name,
  request: requestJson(request),
  status: "error",
});

/** @returns undefined if the answer is lost */
const answerOf = (
  node: RippledNode,
  socket: WebSocket,
  params: Readonly<Record<string, unknown>>,
): RippledJson | undefined => {
  const command = params["command"] ?? params["method"];
  if (typeof command !== "string") return error(params, "missingCommand");
  const version = versionOf(params["api_version"]);
  if (version === undefined) return error(params, "invalid_API_version");
  const request = { command, params, version, now: node.host.now };
  if (command === "subscribe")
    return response(params, node.streams.subscribe(socket, request, node.host.state));
  if (command === "unsubscribe") return response(params, node.streams.unsubscribe(socket, request));
  const answer = answerRippledRequest(node, request);
  return answer && response(params, answer);
};

const textOf = (data: RawData): string => {
  if (Array.isArray(data)) return Buffer.concat(data).toString();
  return (data instanceof ArrayBuffer ? Buffer.from(data) : data).toString();
};

const answerMessage = (node: RippledNode, socket: WebSocket, text: string): void => {
  const params = parsed(text);
  if (params === undefined) {
    sendJson(socket, { type: "error", error: "jsonInvalid", value: text.slice(0, MOST_REPEATED_CHARACTERS) });
    return;
  }
  const json = answerOf(node, socket, params);
  if (json === undefined) socket.terminate();
  else sendJson(socket, json);
};

export interface RippledSockets {
  readonly takeOver: TakeOver;
  close(): void;
}

/** Serves the same commands over WebSocket, each answer with the id of its request, and the streams. */
export const openRippledSockets = (node: RippledNode): RippledSockets => {
  const server = new WebSocketServer({ noServer: true, maxPayload: REQUEST_BYTES_MAX });
  server.on("connection", (socket) => {
    socket.on("message", (data) => answerMessage(node, socket, textOf(data)));
    socket.on("close", () => node.streams.forget(socket));
    // a frame is too long, or the data is not WebSocket: the library closes the connection
    socket.on("error", () => node.streams.forget(socket));
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
