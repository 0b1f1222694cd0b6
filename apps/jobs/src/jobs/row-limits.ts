import { VALUE_MAX_CHARACTERS } from '@switchboard/template-rules';

/** The longest value of a template's variable, in characters (UTF-16 units, as the upstream platform counts). */
export const VARIABLE_MAX_CHARACTERS = VALUE_MAX_CHARACTERS.text;
/** The longest reference of a recipient, in characters. */
export const CLIENT_REF_MAX_CHARACTERS = 128;
