/** The code of every text message of strong customer authentication, as in other sandboxes. */
export const SMS_CODE = '123456';

/** The code of every contact verification. */
export const CONTACT_CODE = '123456';
