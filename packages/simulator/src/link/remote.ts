import { LostOnTheWay, type ServerLink } from "./server-link.ts";

/**
 * A server's port as a process reaches it: each call is carried there by the link, and each answer back. Other members stay as they are.
 * @param silence the answer of a call, by its name, where a fault of the link loses it
 */
export const remote = <Port extends object>(
  port: Port,
  link: ServerLink,
  silence: (call: string) => unknown,
): Port =>
  new Proxy(port, {
    get: (target, name, receiver) => {
      const member: unknown = Reflect.get(target, name, receiver);
      if (typeof member !== "function") return member;
      const call = String(name);
      return (...given: unknown[]) =>
        link
          .ask(call, async () => {
            const answer: unknown = await Reflect.apply(member, target, given);
            return answer;
          })
          .catch((error: unknown) => {
            if (!(error instanceof LostOnTheWay)) throw error;
            return silence(call);
          });
    },
  });
