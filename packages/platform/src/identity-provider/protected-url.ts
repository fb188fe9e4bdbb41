const LOOPBACK: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Whether nobody on the way to an address can read or change a message: by TLS, or because it is on this machine. */
export const isProtected = ({ protocol, hostname }: URL): boolean =>
  protocol === "https:" || (protocol === "http:" && LOOPBACK.has(hostname));
