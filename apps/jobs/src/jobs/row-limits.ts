import { VALUE_MAX_CHARACTERS } from '@switchboard/template-rules';

/** Maximum length of a template variable's value, in UTF-16 code units like the upstream platform's limit. */
export const VARIABLE_MAX_CHARACTERS = VALUE_MAX_CHARACTERS.text;
