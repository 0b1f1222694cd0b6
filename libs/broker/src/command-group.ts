import type { CommandContract } from '@switchboard/contracts';
import type { ConsumeMessage } from 'amqplib';
import { isSealed, type RequestBox } from './sealed-request';
import { COMMANDS, type GroupedCommand } from './wire';

/** Maximum length of a grouped command, in characters. Longer commands are sent alone, so that groups stay small. */
const MEMBER_MAX_LENGTH = 4_096;
/**
 * Maximum number of commands in a group. More commands sent in one tick form more groups, which other processes may
 * handle.
 */
const GROUP_MAX_MEMBERS = 16;
/** Maximum length of an AMQP id, in bytes. Acceptance notes and replies carry the ids as well. */
const ID_MAX_BYTES = 255;

export type Group<Item> = [Item, ...Item[]];

/**
 * Divides commands into groups, each sent as one message. A group holds at most 16 commands of one contract. Its size
 * stays within the contract's limit for a single command, because processes budget their memory by that limit.
 *
 * @param items each with its `groupedCommand`
 */
export function groupsOf<Item extends { command: CommandContract; json: string }>(
  items: readonly Item[],
): Group<Item>[] {
  const groups: Group<Item>[] = [];
  const open = new Map<CommandContract, { group: Group<Item>; length: number }>();
  for (const item of items) {
    const { command, json } = item;
    const last = open.get(command);
    const isShort = json.length <= MEMBER_MAX_LENGTH;
    // A UTF-16 unit takes three bytes at most.
    const hasRoom =
      last && last.group.length < GROUP_MAX_MEMBERS && (last.length + json.length) * 3 <= command.maxBytes;
    if (hasRoom && isShort) {
      last.group.push(item);
      last.length += json.length + 1;
      continue;
    }
    const group: Group<Item> = [item];
    groups.push(group);
    if (isShort) open.set(command, { group, length: json.length + 2 });
  }
  return groups;
}

/** One command of a group, in the form of a separate message. */
export interface GroupMember extends ConsumeMessage {
  body: unknown;
  /** Shared by all members. The broker's message is acknowledged when none is left. */
  group: { unanswered: number };
}

export const isGroup = ({ properties }: ConsumeMessage): boolean => properties.type === COMMANDS;

/** Returns the commands of a group, or undefined when it cannot be parsed. */
export function membersOf(message: ConsumeMessage): GroupMember[] | undefined {
  const commands = commandsIn(message.content);
  if (!commands) return undefined;
  const group = { unanswered: commands.length };
  return commands.map(({ id, headers, body }) => {
    const properties = { ...message.properties, messageId: id, correlationId: id, headers };
    return { ...message, properties, body, group };
  });
}

function commandsIn(content: Buffer): GroupedCommand[] | undefined {
  try {
    const commands: unknown = JSON.parse(content.toString());
    const isReadable =
      Array.isArray(commands) &&
      commands.length > 0 &&
      commands.every((item: Partial<GroupedCommand> | null) => isId(item?.id));
    return isReadable ? (commands as GroupedCommand[]) : undefined;
  } catch {
    return undefined;
  }
}

const isId = (id: unknown): boolean => typeof id === 'string' && Buffer.byteLength(id) <= ID_MAX_BYTES;

/**
 * Returns the unvalidated request of a command. @throws SyntaxError when it is not JSON; Error when it cannot be
 * decrypted
 */
export function requestIn(message: ConsumeMessage | GroupMember, command: CommandContract, box: RequestBox): unknown {
  const { headers, correlationId } = message.properties;
  const content: unknown = 'group' in message ? message.body : JSON.parse(message.content.toString());
  return isSealed(headers) ? box.open(command, String(correlationId), content) : content;
}
