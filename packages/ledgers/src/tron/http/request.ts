import type { Context } from "hono";
import { boundedBody } from "../../http/bounded-body.ts";
import type { ConnectionBindings } from "../../http/lost-reply.ts";
import { type JavaTronAddress, parseJavaTronBase58, parseJavaTronHex } from "../address.ts";

/** Room for a signed transaction with the largest contract, in hex and in JSON. */
const BODY_BYTES_MAX = 2 * 1024 * 1024;
const DIGITS_MAX = 19;

/** A request that cannot be understood. */
export class JavaTronBadRequest extends Error {}

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const parsedBody = (text: string): Fields => {
  if (text.trim() === "") return {};
  try {
    const body: unknown = JSON.parse(text);
    if (isFields(body)) return body;
  } catch {
    // the error below covers it
  }
  throw new JavaTronBadRequest("INVALID json: the body must be a JSON object");
};

/** A request's parameters: the body of a POST, or the query of a GET. */
export class JavaTronRequest {
  readonly fields: Fields;
  readonly visible: boolean;

  constructor(fields: Fields) {
    this.fields = fields;
    this.visible = fields["visible"] === true || fields["visible"] === "true";
  }

  /** @throws JavaTronBadRequest */
  static async of(context: Context<ConnectionBindings>): Promise<JavaTronRequest> {
    if (context.req.method === "GET") return new JavaTronRequest(context.req.query());
    const bytes = await boundedBody(context.req.raw, BODY_BYTES_MAX);
    if (bytes === undefined) throw new JavaTronBadRequest(`the body has more than ${BODY_BYTES_MAX} bytes`);
    return new JavaTronRequest(parsedBody(new TextDecoder().decode(bytes)));
  }

  has(name: string): boolean {
    return this.fields[name] !== undefined && this.fields[name] !== null && this.fields[name] !== "";
  }

  text(name: string): string {
    const value = this.fields[name] ?? "";
    if (typeof value === "string") return value;
    if (typeof value === "number") return `${value}`;
    throw new JavaTronBadRequest(`${name} must be a text`);
  }

  /** An integer of up to 64 bits, as a number or a string of digits; 0 if absent. */
  amount(name: string): bigint {
    const text = this.text(name);
    if (text === "") return 0n;
    if (!/^-?\d+$/.test(text) || text.length > DIGITS_MAX)
      throw new JavaTronBadRequest(`${name} must be a whole number`);
    return BigInt(text);
  }

  /** An integer of up to 53 bits; 0 if absent. */
  number(name: string): number {
    const value = Number(this.amount(name));
    if (!Number.isSafeInteger(value)) throw new JavaTronBadRequest(`${name} is out of range`);
    return value;
  }

  flag(name: string): boolean | undefined {
    const value = this.fields[name];
    return value === undefined ? undefined : value === true || value === "true";
  }

  hex(name: string): string {
    const text = this.text(name).replace(/^0x/, "");
    if (!/^([0-9a-fA-F]{2})*$/.test(text)) throw new JavaTronBadRequest(`${name} must be hex`);
    return text.toLowerCase();
  }

  /** An address: T… if the request is `visible`, otherwise 41…. */
  address(name: string): JavaTronAddress {
    const text = this.text(name);
    const address = this.visible ? parseJavaTronBase58(text) : parseJavaTronHex(text);
    if (address !== undefined) return address;
    throw new JavaTronBadRequest(
      `${name} must be an address: ${this.visible ? "T… in base58check" : "41… in hex (T… with visible: true)"}`,
    );
  }
}
