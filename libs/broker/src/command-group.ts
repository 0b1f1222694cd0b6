import type { CommandContract } from '@switchboard/contracts';
import type { ConsumeMessage } from 'amqplib';
import { isSealed, type RequestBox } from './sealed-request';
import { COMMANDS, type GroupedCommand } from './wire';

/** A longer command leaves alone, so that a group stays small. In characters. */
const MEMBER_MAX_LENGTH = 4_096;
/** More commands of one turn leave as several groups, which several processes may take. */
const GROUP_MAX_MEMBERS = 16;
/** AMQP allows no longer ids, and notes and answers bear them. In bytes. */
const ID_MAX_BYTES = 255;

export type Group<Item> = [Item, ...Item[]];

/**
 * Divides commands into those that leave as one message: of one contract, at most 16, together no larger than the
 * contract allows a single one, which is what a process counts on when it holds messages.
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

/** One command of a group, in the form of a message of its own. */
export interface GroupMember extends ConsumeMessage {
  body: unknown;
  /** Shared by all members: the broker's message is acknowledged when none is left. */
  group: { unanswered: number };
}

/** Whether the message holds several commands. */
export const isGroup = ({ properties }: ConsumeMessage): boolean => properties.type === COMMANDS;

/** The commands of a group, or undefined when it cannot be read. */
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

/** The unvalidated request of a command. @throws SyntaxError when it is not JSON; Error when it cannot be decrypted */
export function requestIn(message: ConsumeMessage | GroupMember, command: CommandContract, box: RequestBox): unknown {
  const { headers, correlationId } = message.properties;
  const content: unknown = 'group' in message ? message.body : JSON.parse(message.content.toString());
  return isSealed(headers) ? box.open(command, String(correlationId), content) : content;
}
