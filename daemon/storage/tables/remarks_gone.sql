DROP TABLE IF EXISTS remark;  -- what it held is found as a passage
