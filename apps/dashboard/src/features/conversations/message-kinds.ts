import {
  ContactRound,
  FileText,
  Image,
  type LucideIcon,
  MapPin,
  MessageSquareWarning,
  Mic,
  PhoneIncoming,
  ShoppingCart,
  SmilePlus,
  Sticker,
  Video,
} from 'lucide-react';
import { wordOf } from '../../components/display';

interface Kind {
  icon?: LucideIcon;
  /** Text in place of a message without any. */
  text: string;
}

const KINDS = new Map<string, Kind>([
  ['image', { icon: Image, text: 'Picture' }],
  ['video', { icon: Video, text: 'Video' }],
  ['audio', { icon: Mic, text: 'Audio message' }],
  ['document', { icon: FileText, text: 'Document' }],
  ['sticker', { icon: Sticker, text: 'Sticker' }],
  ['location', { icon: MapPin, text: 'Location' }],
  ['contacts', { icon: ContactRound, text: 'Contact card' }],
  ['reaction', { icon: SmilePlus, text: 'Removed a reaction' }],
  ['order', { icon: ShoppingCart, text: 'Order' }],
  ['call', { icon: PhoneIncoming, text: 'Call from the customer' }],
  ['unsupported', { icon: MessageSquareWarning, text: 'Unsupported message' }],
]);

/** Returns the icon and the name of a message type, for lists. */
export const kindOf = (type: string): Kind => KINDS.get(type) ?? { text: wordOf(type) };
