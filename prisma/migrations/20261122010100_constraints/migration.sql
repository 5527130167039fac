-- Rules of `contract/` that SQL can express, as constraints. The name of a constraint states its rule, and
-- PostgreSQL's error contains the name. Lengths are in bytes of UTF-8, which are never fewer than the UTF-16
-- code units that the contract counts.
--
-- These problems violate no constraint:
-- - A time zone has a valid form, but the runtime does not know it. The API uses UTC.
-- - A template does not parse. The worker uses the next source in precedence.
-- - A category is its own ancestor. The API ends the breadcrumbs there.
-- - A picture is not in the bucket.
-- - An article has the path of a static page, which is served instead.

-- Code points beyond ASCII that a slug may contain: \p{Ll}\p{Lo}\p{N}\p{M} of Unicode 17 (lower-case letters,
-- letters without case, digits, marks).
CREATE FUNCTION slug_characters() RETURNS int4multirange LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
'{[170,171),[178,180),[181,182),[185,187),[188,191),[223,247),[248,256),[257,258),[259,260),[261,262),[263,264),
[265,266),[267,268),[269,270),[271,272),[273,274),[275,276),[277,278),[279,280),[281,282),[283,284),[285,286),
[287,288),[289,290),[291,292),[293,294),[295,296),[297,298),[299,300),[301,302),[303,304),[305,306),[307,308),
[309,310),[311,313),[314,315),[316,317),[318,319),[320,321),[322,323),[324,325),[326,327),[328,330),[331,332),
[333,334),[335,336),[337,338),[339,340),[341,342),[343,344),[345,346),[347,348),[349,350),[351,352),[353,354),
[355,356),[357,358),[359,360),[361,362),[363,364),[365,366),[367,368),[369,370),[371,372),[373,374),[375,376),
[378,379),[380,381),[382,385),[387,388),[389,390),[392,393),[396,398),[402,403),[405,406),[409,412),[414,415),
[417,418),[419,420),[421,422),[424,425),[426,428),[429,430),[432,433),[436,437),[438,439),[441,444),[445,452),
[454,455),[457,458),[460,461),[462,463),[464,465),[466,467),[468,469),[470,471),[472,473),[474,475),[476,478),
[479,480),[481,482),[483,484),[485,486),[487,488),[489,490),[491,492),[493,494),[495,497),[499,500),[501,502),
[505,506),[507,508),[509,510),[511,512),[513,514),[515,516),[517,518),[519,520),[521,522),[523,524),[525,526),
[527,528),[529,530),[531,532),[533,534),[535,536),[537,538),[539,540),[541,542),[543,544),[545,546),[547,548),
[549,550),[551,552),[553,554),[555,556),[557,558),[559,560),[561,562),[563,570),[572,573),[575,577),[578,579),
[583,584),[585,586),[587,588),[589,590),[591,688),[768,880),[881,882),[883,884),[887,888),[891,894),[912,913),
[940,975),[976,978),[981,984),[985,986),[987,988),[989,990),[991,992),[993,994),[995,996),[997,998),[999,1000),
[1001,1002),[1003,1004),[1005,1006),[1007,1012),[1013,1014),[1016,1017),[1019,1021),[1072,1120),[1121,1122),
[1123,1124),[1125,1126),[1127,1128),[1129,1130),[1131,1132),[1133,1134),[1135,1136),[1137,1138),[1139,1140),
[1141,1142),[1143,1144),[1145,1146),[1147,1148),[1149,1150),[1151,1152),[1153,1154),[1155,1162),[1163,1164),
[1165,1166),[1167,1168),[1169,1170),[1171,1172),[1173,1174),[1175,1176),[1177,1178),[1179,1180),[1181,1182),
[1183,1184),[1185,1186),[1187,1188),[1189,1190),[1191,1192),[1193,1194),[1195,1196),[1197,1198),[1199,1200),
[1201,1202),[1203,1204),[1205,1206),[1207,1208),[1209,1210),[1211,1212),[1213,1214),[1215,1216),[1218,1219),
[1220,1221),[1222,1223),[1224,1225),[1226,1227),[1228,1229),[1230,1232),[1233,1234),[1235,1236),[1237,1238),
[1239,1240),[1241,1242),[1243,1244),[1245,1246),[1247,1248),[1249,1250),[1251,1252),[1253,1254),[1255,1256),
[1257,1258),[1259,1260),[1261,1262),[1263,1264),[1265,1266),[1267,1268),[1269,1270),[1271,1272),[1273,1274),
[1275,1276),[1277,1278),[1279,1280),[1281,1282),[1283,1284),[1285,1286),[1287,1288),[1289,1290),[1291,1292),
[1293,1294),[1295,1296),[1297,1298),[1299,1300),[1301,1302),[1303,1304),[1305,1306),[1307,1308),[1309,1310),
[1311,1312),[1313,1314),[1315,1316),[1317,1318),[1319,1320),[1321,1322),[1323,1324),[1325,1326),[1327,1328),
[1376,1417),[1425,1470),[1471,1472),[1473,1475),[1476,1478),[1479,1480),[1488,1515),[1519,1523),[1552,1563),
[1568,1600),[1601,1642),[1646,1748),[1749,1757),[1759,1765),[1767,1769),[1770,1789),[1791,1792),[1808,1867),
[1869,1970),[1984,2036),[2045,2046),[2048,2074),[2075,2084),[2085,2088),[2089,2094),[2112,2140),[2144,2155),
[2160,2184),[2185,2192),[2199,2249),[2250,2274),[2275,2404),[2406,2416),[2418,2436),[2437,2445),[2447,2449),
[2451,2473),[2474,2481),[2482,2483),[2486,2490),[2492,2501),[2503,2505),[2507,2511),[2519,2520),[2524,2526),
[2527,2532),[2534,2546),[2548,2554),[2556,2557),[2558,2559),[2561,2564),[2565,2571),[2575,2577),[2579,2601),
[2602,2609),[2610,2612),[2613,2615),[2616,2618),[2620,2621),[2622,2627),[2631,2633),[2635,2638),[2641,2642),
[2649,2653),[2654,2655),[2662,2678),[2689,2692),[2693,2702),[2703,2706),[2707,2729),[2730,2737),[2738,2740),
[2741,2746),[2748,2758),[2759,2762),[2763,2766),[2768,2769),[2784,2788),[2790,2800),[2809,2816),[2817,2820),
[2821,2829),[2831,2833),[2835,2857),[2858,2865),[2866,2868),[2869,2874),[2876,2885),[2887,2889),[2891,2894),
[2901,2904),[2908,2910),[2911,2916),[2918,2928),[2929,2936),[2946,2948),[2949,2955),[2958,2961),[2962,2966),
[2969,2971),[2972,2973),[2974,2976),[2979,2981),[2984,2987),[2990,3002),[3006,3011),[3014,3017),[3018,3022),
[3024,3025),[3031,3032),[3046,3059),[3072,3085),[3086,3089),[3090,3113),[3114,3130),[3132,3141),[3142,3145),
[3146,3150),[3157,3159),[3160,3163),[3164,3166),[3168,3172),[3174,3184),[3192,3199),[3200,3204),[3205,3213),
[3214,3217),[3218,3241),[3242,3252),[3253,3258),[3260,3269),[3270,3273),[3274,3278),[3285,3287),[3292,3295),
[3296,3300),[3302,3312),[3313,3316),[3328,3341),[3342,3345),[3346,3397),[3398,3401),[3402,3407),[3412,3428),
[3430,3449),[3450,3456),[3457,3460),[3461,3479),[3482,3506),[3507,3516),[3517,3518),[3520,3527),[3530,3531),
[3535,3541),[3542,3543),[3544,3552),[3558,3568),[3570,3572),[3585,3643),[3648,3654),[3655,3663),[3664,3674),
[3713,3715),[3716,3717),[3718,3723),[3724,3748),[3749,3750),[3751,3774),[3776,3781),[3784,3791),[3792,3802),
[3804,3808),[3840,3841),[3864,3866),[3872,3892),[3893,3894),[3895,3896),[3897,3898),[3902,3912),[3913,3949),
[3953,3973),[3974,3992),[3993,4029),[4038,4039),[4096,4170),[4176,4254),[4304,4347),[4349,4681),[4682,4686),
[4688,4695),[4696,4697),[4698,4702),[4704,4745),[4746,4750),[4752,4785),[4786,4790),[4792,4799),[4800,4801),
[4802,4806),[4808,4823),[4824,4881),[4882,4886),[4888,4955),[4957,4960),[4969,4989),[4992,5008),[5112,5118),
[5121,5741),[5743,5760),[5761,5787),[5792,5867),[5870,5881),[5888,5910),[5919,5941),[5952,5972),[5984,5997),
[5998,6001),[6002,6004),[6016,6100),[6108,6110),[6112,6122),[6128,6138),[6155,6158),[6159,6170),[6176,6211),
[6212,6265),[6272,6315),[6320,6390),[6400,6431),[6432,6444),[6448,6460),[6470,6510),[6512,6517),[6528,6572),
[6576,6602),[6608,6619),[6656,6684),[6688,6751),[6752,6781),[6783,6794),[6800,6810),[6832,6878),[6880,6892),
[6912,6989),[6992,7002),[7019,7028),[7040,7156),[7168,7224),[7232,7242),[7245,7288),[7296,7305),[7306,7307),
[7376,7379),[7380,7419),[7424,7468),[7531,7544),[7545,7579),[7616,7680),[7681,7682),[7683,7684),[7685,7686),
[7687,7688),[7689,7690),[7691,7692),[7693,7694),[7695,7696),[7697,7698),[7699,7700),[7701,7702),[7703,7704),
[7705,7706),[7707,7708),[7709,7710),[7711,7712),[7713,7714),[7715,7716),[7717,7718),[7719,7720),[7721,7722),
[7723,7724),[7725,7726),[7727,7728),[7729,7730),[7731,7732),[7733,7734),[7735,7736),[7737,7738),[7739,7740),
[7741,7742),[7743,7744),[7745,7746),[7747,7748),[7749,7750),[7751,7752),[7753,7754),[7755,7756),[7757,7758),
[7759,7760),[7761,7762),[7763,7764),[7765,7766),[7767,7768),[7769,7770),[7771,7772),[7773,7774),[7775,7776),
[7777,7778),[7779,7780),[7781,7782),[7783,7784),[7785,7786),[7787,7788),[7789,7790),[7791,7792),[7793,7794),
[7795,7796),[7797,7798),[7799,7800),[7801,7802),[7803,7804),[7805,7806),[7807,7808),[7809,7810),[7811,7812),
[7813,7814),[7815,7816),[7817,7818),[7819,7820),[7821,7822),[7823,7824),[7825,7826),[7827,7828),[7829,7838),
[7839,7840),[7841,7842),[7843,7844),[7845,7846),[7847,7848),[7849,7850),[7851,7852),[7853,7854),[7855,7856),
[7857,7858),[7859,7860),[7861,7862),[7863,7864),[7865,7866),[7867,7868),[7869,7870),[7871,7872),[7873,7874),
[7875,7876),[7877,7878),[7879,7880),[7881,7882),[7883,7884),[7885,7886),[7887,7888),[7889,7890),[7891,7892),
[7893,7894),[7895,7896),[7897,7898),[7899,7900),[7901,7902),[7903,7904),[7905,7906),[7907,7908),[7909,7910),
[7911,7912),[7913,7914),[7915,7916),[7917,7918),[7919,7920),[7921,7922),[7923,7924),[7925,7926),[7927,7928),
[7929,7930),[7931,7932),[7933,7934),[7935,7944),[7952,7958),[7968,7976),[7984,7992),[8000,8006),[8016,8024),
[8032,8040),[8048,8062),[8064,8072),[8080,8088),[8096,8104),[8112,8117),[8118,8120),[8126,8127),[8130,8133),
[8134,8136),[8144,8148),[8150,8152),[8160,8168),[8178,8181),[8182,8184),[8304,8305),[8308,8314),[8320,8330),
[8400,8433),[8458,8459),[8462,8464),[8467,8468),[8495,8496),[8500,8506),[8508,8510),[8518,8522),[8526,8527),
[8528,8579),[8580,8586),[9312,9372),[9450,9472),[10102,10132),[11312,11360),[11361,11362),[11365,11367),
[11368,11369),[11370,11371),[11372,11373),[11377,11378),[11379,11381),[11382,11388),[11393,11394),[11395,11396),
[11397,11398),[11399,11400),[11401,11402),[11403,11404),[11405,11406),[11407,11408),[11409,11410),[11411,11412),
[11413,11414),[11415,11416),[11417,11418),[11419,11420),[11421,11422),[11423,11424),[11425,11426),[11427,11428),
[11429,11430),[11431,11432),[11433,11434),[11435,11436),[11437,11438),[11439,11440),[11441,11442),[11443,11444),
[11445,11446),[11447,11448),[11449,11450),[11451,11452),[11453,11454),[11455,11456),[11457,11458),[11459,11460),
[11461,11462),[11463,11464),[11465,11466),[11467,11468),[11469,11470),[11471,11472),[11473,11474),[11475,11476),
[11477,11478),[11479,11480),[11481,11482),[11483,11484),[11485,11486),[11487,11488),[11489,11490),[11491,11493),
[11500,11501),[11502,11506),[11507,11508),[11517,11518),[11520,11558),[11559,11560),[11565,11566),[11568,11624),
[11647,11671),[11680,11687),[11688,11695),[11696,11703),[11704,11711),[11712,11719),[11720,11727),[11728,11735),
[11736,11743),[11744,11776),[12294,12296),[12321,12336),[12344,12347),[12348,12349),[12353,12439),[12441,12443),
[12447,12448),[12449,12539),[12543,12544),[12549,12592),[12593,12687),[12690,12694),[12704,12736),[12784,12800),
[12832,12842),[12872,12880),[12881,12896),[12928,12938),[12977,12992),[13312,19904),[19968,40981),[40982,42125),
[42192,42232),[42240,42508),[42512,42540),[42561,42562),[42563,42564),[42565,42566),[42567,42568),[42569,42570),
[42571,42572),[42573,42574),[42575,42576),[42577,42578),[42579,42580),[42581,42582),[42583,42584),[42585,42586),
[42587,42588),[42589,42590),[42591,42592),[42593,42594),[42595,42596),[42597,42598),[42599,42600),[42601,42602),
[42603,42604),[42605,42611),[42612,42622),[42625,42626),[42627,42628),[42629,42630),[42631,42632),[42633,42634),
[42635,42636),[42637,42638),[42639,42640),[42641,42642),[42643,42644),[42645,42646),[42647,42648),[42649,42650),
[42651,42652),[42654,42738),[42787,42788),[42789,42790),[42791,42792),[42793,42794),[42795,42796),[42797,42798),
[42799,42802),[42803,42804),[42805,42806),[42807,42808),[42809,42810),[42811,42812),[42813,42814),[42815,42816),
[42817,42818),[42819,42820),[42821,42822),[42823,42824),[42825,42826),[42827,42828),[42829,42830),[42831,42832),
[42833,42834),[42835,42836),[42837,42838),[42839,42840),[42841,42842),[42843,42844),[42845,42846),[42847,42848),
[42849,42850),[42851,42852),[42853,42854),[42855,42856),[42857,42858),[42859,42860),[42861,42862),[42863,42864),
[42865,42873),[42874,42875),[42876,42877),[42879,42880),[42881,42882),[42883,42884),[42885,42886),[42887,42888),
[42892,42893),[42894,42896),[42897,42898),[42899,42902),[42903,42904),[42905,42906),[42907,42908),[42909,42910),
[42911,42912),[42913,42914),[42915,42916),[42917,42918),[42919,42920),[42921,42922),[42927,42928),[42933,42934),
[42935,42936),[42937,42938),[42939,42940),[42941,42942),[42943,42944),[42945,42946),[42947,42948),[42952,42953),
[42954,42955),[42957,42958),[42959,42960),[42961,42962),[42963,42964),[42965,42966),[42967,42968),[42969,42970),
[42971,42972),[42998,43000),[43002,43048),[43052,43053),[43056,43062),[43072,43124),[43136,43206),[43216,43226),
[43232,43256),[43259,43260),[43261,43310),[43312,43348),[43360,43389),[43392,43457),[43472,43482),[43488,43494),
[43495,43519),[43520,43575),[43584,43598),[43600,43610),[43616,43632),[43633,43639),[43642,43715),[43739,43741),
[43744,43760),[43762,43763),[43765,43767),[43777,43783),[43785,43791),[43793,43799),[43808,43815),[43816,43823),
[43824,43867),[43872,43881),[43888,44011),[44012,44014),[44016,44026),[44032,55204),[55216,55239),[55243,55292),
[63744,64110),[64112,64218),[64256,64263),[64275,64280),[64285,64297),[64298,64311),[64312,64317),[64318,64319),
[64320,64322),[64323,64325),[64326,64434),[64467,64830),[64848,64912),[64914,64968),[65008,65020),[65024,65040),
[65056,65072),[65136,65141),[65142,65277),[65296,65306),[65345,65371),[65382,65392),[65393,65438),[65440,65471),
[65474,65480),[65482,65488),[65490,65496),[65498,65501),[65536,65548),[65549,65575),[65576,65595),[65596,65598),
[65599,65614),[65616,65630),[65664,65787),[65799,65844),[65856,65913),[65930,65932),[66045,66046),[66176,66205),
[66208,66257),[66272,66300),[66304,66340),[66349,66379),[66384,66427),[66432,66462),[66464,66500),[66504,66512),
[66513,66518),[66600,66718),[66720,66730),[66776,66812),[66816,66856),[66864,66916),[66967,66978),[66979,66994),
[66995,67002),[67003,67005),[67008,67060),[67072,67383),[67392,67414),[67424,67432),[67584,67590),[67592,67593),
[67594,67638),[67639,67641),[67644,67645),[67647,67670),[67672,67703),[67705,67743),[67751,67760),[67808,67827),
[67828,67830),[67835,67868),[67872,67898),[67904,67930),[67968,68024),[68028,68048),[68050,68100),[68101,68103),
[68108,68116),[68117,68120),[68121,68150),[68152,68155),[68159,68169),[68192,68223),[68224,68256),[68288,68296),
[68297,68327),[68331,68336),[68352,68406),[68416,68438),[68440,68467),[68472,68498),[68521,68528),[68608,68681),
[68800,68851),[68858,68904),[68912,68922),[68928,68942),[68943,68944),[68969,68974),[68976,68998),[69216,69247),
[69248,69290),[69291,69293),[69296,69298),[69314,69317),[69318,69320),[69370,69416),[69424,69461),[69488,69510),
[69552,69580),[69600,69623),[69632,69703),[69714,69750),[69759,69819),[69826,69827),[69840,69865),[69872,69882),
[69888,69941),[69942,69952),[69956,69960),[69968,70004),[70006,70007),[70016,70085),[70089,70093),[70094,70107),
[70108,70109),[70113,70133),[70144,70162),[70163,70200),[70206,70210),[70272,70279),[70280,70281),[70282,70286),
[70287,70302),[70303,70313),[70320,70379),[70384,70394),[70400,70404),[70405,70413),[70415,70417),[70419,70441),
[70442,70449),[70450,70452),[70453,70458),[70459,70469),[70471,70473),[70475,70478),[70480,70481),[70487,70488),
[70493,70500),[70502,70509),[70512,70517),[70528,70538),[70539,70540),[70542,70543),[70544,70582),[70583,70593),
[70594,70595),[70597,70598),[70599,70603),[70604,70612),[70625,70627),[70656,70731),[70736,70746),[70750,70754),
[70784,70854),[70855,70856),[70864,70874),[71040,71094),[71096,71105),[71128,71134),[71168,71233),[71236,71237),
[71248,71258),[71296,71353),[71360,71370),[71376,71396),[71424,71451),[71453,71468),[71472,71484),[71488,71495),
[71680,71739),[71872,71923),[71935,71943),[71945,71946),[71948,71956),[71957,71959),[71960,71990),[71991,71993),
[71995,72004),[72016,72026),[72096,72104),[72106,72152),[72154,72162),[72163,72165),[72192,72255),[72263,72264),
[72272,72346),[72349,72350),[72368,72441),[72544,72552),[72640,72673),[72688,72698),[72704,72713),[72714,72759),
[72760,72769),[72784,72813),[72818,72848),[72850,72872),[72873,72887),[72960,72967),[72968,72970),[72971,73015),
[73018,73019),[73020,73022),[73023,73032),[73040,73050),[73056,73062),[73063,73065),[73066,73103),[73104,73106),
[73107,73113),[73120,73130),[73136,73177),[73178,73180),[73184,73194),[73440,73463),[73472,73489),[73490,73531),
[73534,73539),[73552,73563),[73648,73649),[73664,73685),[73728,74650),[74752,74863),[74880,75076),[77712,77809),
[77824,78896),[78912,78934),[78944,82939),[82944,83527),[90368,90426),[92160,92729),[92736,92767),[92768,92778),
[92784,92863),[92864,92874),[92880,92910),[92912,92917),[92928,92983),[93008,93018),[93019,93026),[93027,93048),
[93053,93072),[93507,93547),[93552,93562),[93792,93847),[93883,93908),[93952,94027),[94031,94088),[94095,94099),
[94180,94181),[94192,94194),[94196,94199),[94208,101590),[101631,101663),[101760,101875),[110592,110883),
[110898,110899),[110928,110931),[110933,110934),[110948,110952),[110960,111356),[113664,113771),[113776,113789),
[113792,113801),[113808,113818),[113821,113823),[118000,118010),[118528,118574),[118576,118599),[119141,119146),
[119149,119155),[119163,119171),[119173,119180),[119210,119214),[119362,119365),[119488,119508),[119520,119540),
[119648,119673),[119834,119860),[119886,119893),[119894,119912),[119938,119964),[119990,119994),[119995,119996),
[119997,120004),[120005,120016),[120042,120068),[120094,120120),[120146,120172),[120198,120224),[120250,120276),
[120302,120328),[120354,120380),[120406,120432),[120458,120486),[120514,120539),[120540,120546),[120572,120597),
[120598,120604),[120630,120655),[120656,120662),[120688,120713),[120714,120720),[120746,120771),[120772,120778),
[120779,120780),[120782,120832),[121344,121399),[121403,121453),[121461,121462),[121476,121477),[121499,121504),
[121505,121520),[122624,122655),[122661,122667),[122880,122887),[122888,122905),[122907,122914),[122915,122917),
[122918,122923),[123023,123024),[123136,123181),[123184,123191),[123200,123210),[123214,123215),[123536,123567),
[123584,123642),[124112,124139),[124140,124154),[124368,124411),[124608,124639),[124640,124662),[124670,124671),
[124896,124903),[124904,124908),[124909,124911),[124912,124927),[124928,125125),[125127,125143),[125218,125259),
[125264,125274),[126065,126124),[126125,126128),[126129,126133),[126209,126254),[126255,126270),[126464,126468),
[126469,126496),[126497,126499),[126500,126501),[126503,126504),[126505,126515),[126516,126520),[126521,126522),
[126523,126524),[126530,126531),[126535,126536),[126537,126538),[126539,126540),[126541,126544),[126545,126547),
[126548,126549),[126551,126552),[126553,126554),[126555,126556),[126557,126558),[126559,126560),[126561,126563),
[126564,126565),[126567,126571),[126572,126579),[126580,126584),[126585,126589),[126590,126591),[126592,126602),
[126603,126620),[126625,126628),[126629,126634),[126635,126652),[127232,127245),[130032,130042),[131072,173792),
[173824,178206),[178208,183982),[183984,191457),[191472,192094),[194560,195102),[196608,201547),[201552,210042),
[917760,918000)}'::int4multirange;

CREATE FUNCTION has_slug_characters(text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN (
  SELECT bool_and(ascii(letter) < 128 OR slug_characters() @> ascii(letter))
  FROM regexp_split_to_table($1, '') AS letter);

-- Almost all slugs match the first expression, which is fast.
CREATE FUNCTION is_slug(text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
  octet_length($1) <= 300 AND char_length($1) <= 200 AND ($1 ~ '^[a-z0-9]+(-[a-z0-9]+)*$'
    OR $1 !~ '[\u0001-\u002c\u002e\u002f\u003a-\u0060\u007b-\u007f]|^-|--|-$' AND $1 <> ''
    AND has_slug_characters($1));

-- A tag of RFC 5646 §2.1 in lower case: language, script, region, variants.
CREATE FUNCTION is_language(text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
  octet_length($1) <= 35
  AND $1 ~ '^[a-z]{2,3}(-[a-z]{4})?(-([a-z]{2}|[0-9]{3}))?(-([a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*$';

-- An http(s) URL, or a reference relative to the site, without white space as JavaScript defines it.
CREATE FUNCTION is_url(text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
  octet_length($1) <= 2000
  AND $1 ~ '^([hH][tT][tT][pP][sS]?://[^\\\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+|/(?![/\\])[^\\\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]*|#[^\\\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]*)$';

CREATE FUNCTION is_site_path(text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
  octet_length($1) <= 1000 AND $1 ~ '^/(?![/\\])[^\\\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]*$';

-- Key of an object: no empty, `.` or `..` segment, no backslash, no control character.
CREATE FUNCTION is_object_key(text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
  octet_length($1) <= 500 AND $1 !~ '(^|/)\.{0,2}(/|$)|[\u0001-\u001f\u007f\\]';

CREATE FUNCTION is_instant(timestamptz) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
  $1 >= '1970-01-01 00:00:00+00'::timestamptz AND $1 < '10000-01-01 00:00:00+00'::timestamptz;

CREATE FUNCTION is_url_list(text[]) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
  coalesce(array_ndims($1), 1) = 1 AND cardinality($1) <= 100
  AND NOT EXISTS (SELECT FROM unnest($1) AS item WHERE is_url(item) IS NOT TRUE);

CREATE FUNCTION is_name_list(text[]) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
  coalesce(array_ndims($1), 1) = 1 AND cardinality($1) <= 100
  AND NOT EXISTS (SELECT FROM unnest($1) AS item WHERE (octet_length(item) <= 500) IS NOT TRUE);

-- [{platform, url}]
CREATE FUNCTION is_social_links(jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
  CASE WHEN jsonb_typeof($1) = 'array' THEN jsonb_array_length($1) <= 100 AND NOT EXISTS (
    SELECT FROM jsonb_array_elements($1) AS item
    WHERE (CASE WHEN jsonb_typeof(item) = 'object' THEN item - 'platform' - 'url' = '{}'
      AND jsonb_typeof(item -> 'platform') = 'string' AND octet_length(item ->> 'platform') <= 500
      AND jsonb_typeof(item -> 'url') = 'string' AND is_url(item ->> 'url') END) IS NOT TRUE)
  ELSE $1 IS NULL END;

-- {key: text}
CREATE FUNCTION is_labels(jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
  CASE WHEN jsonb_typeof($1) = 'object' THEN octet_length($1::text) <= 100000 AND NOT EXISTS (
    SELECT FROM jsonb_each($1) AS label WHERE octet_length(label.key) > 500
      OR jsonb_typeof(label.value) <> 'string' OR octet_length(label.value #>> '{}') > 2000)
  ELSE $1 IS NULL END;

CREATE FUNCTION is_json_integer(jsonb, minimum integer) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
  CASE WHEN jsonb_typeof($1) = 'number' THEN ($1 #>> '{}')::numeric BETWEEN minimum AND 2147483647
    AND ($1 #>> '{}')::numeric % 1 = 0 ELSE false END;

-- [{key, width}]
CREATE FUNCTION is_variants(jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
  CASE WHEN jsonb_typeof($1) = 'array' THEN jsonb_array_length($1) <= 100 AND octet_length($1::text) <= 100000
    AND NOT EXISTS (
      SELECT FROM jsonb_array_elements($1) AS item
      WHERE (CASE WHEN jsonb_typeof(item) = 'object' THEN jsonb_typeof(item -> 'key') = 'string'
        AND is_object_key(item ->> 'key') AND is_json_integer(item -> 'width', 1) END) IS NOT TRUE)
  ELSE $1 IS NULL END;

-- Whether a value of a snapshot fits a column of `articles`; null for a column that a snapshot must not
-- change.
CREATE FUNCTION fits_business_column(name text, value jsonb) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE RETURN
  CASE
    WHEN name IN ('title', 'body_html') THEN jsonb_typeof(value) = 'string'
    WHEN name IN ('subtitle', 'description', 'seo_title', 'seo_description', 'seo_canonical_url', 'seo_robots')
      THEN jsonb_typeof(value) IN ('string', 'null')
    WHEN name = 'word_count' THEN is_json_integer(value, 0)
    WHEN name = 'homepage_position' THEN jsonb_typeof(value) = 'null' OR is_json_integer(value, -2147483648)
    WHEN name IN ('category_id', 'author_id', 'image_id', 'seo_image_id')
      THEN jsonb_typeof(value) = 'null' OR is_json_integer(value, 1)
    WHEN name IN ('is_featured', 'show_in_homepage') THEN jsonb_typeof(value) = 'boolean'
    WHEN name = 'updated_at' THEN jsonb_typeof(value) = 'string'
      AND pg_input_is_valid(value #>> '{}', 'timestamptz')
  END;

-- Returns the values of a snapshot that replace those of the live row; null for a value that does not fit its
-- column.
CREATE FUNCTION to_overlay(snapshot jsonb) RETURNS jsonb LANGUAGE sql STABLE PARALLEL SAFE RETURN (
  SELECT coalesce(jsonb_object_agg(key, CASE WHEN fits THEN value ELSE 'null' END), '{}')
  FROM jsonb_each(CASE WHEN jsonb_typeof(snapshot) = 'object' THEN snapshot ELSE '{}' END),
    fits_business_column(key, value) AS fits
  WHERE fits IS NOT NULL);

CREATE FUNCTION is_snapshot(jsonb) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE RETURN
  CASE WHEN jsonb_typeof($1) = 'object' THEN NOT EXISTS (
    SELECT FROM jsonb_each($1) AS field WHERE fits_business_column(field.key, field.value) = false
      OR field.key = 'seo_canonical_url' AND is_url(field.value #>> '{}') = false
      OR field.key IN ('title', 'subtitle', 'seo_title') AND octet_length(field.value #>> '{}') > 2000
      OR field.key IN ('description', 'seo_description') AND octet_length(field.value #>> '{}') > 20000
      OR field.key = 'seo_robots' AND octet_length(field.value #>> '{}') > 500
      OR field.key = 'body_html' AND octet_length(field.value #>> '{}') > 2000000
      OR field.key = 'updated_at' AND fits_business_column(field.key, field.value)
        AND is_instant((field.value #>> '{}')::timestamptz) = false)
  ELSE $1 IS NULL END;

ALTER TABLE sites
  ADD CONSTRAINT sites_acronym_is_given CHECK (acronym <> ''),
  ADD CONSTRAINT sites_acronym_has_at_most_100_bytes CHECK (octet_length(acronym) <= 100),
  ADD CONSTRAINT sites_domain_is_host CHECK (octet_length(domain) <= 253 AND domain ~ '^[a-z0-9-]+(\.[a-z0-9-]+)*(:[0-9]{1,5})?$'),
  ADD CONSTRAINT sites_name_has_at_most_500_bytes CHECK (octet_length(name) <= 500),
  ADD CONSTRAINT sites_default_language_is_bcp47 CHECK (is_language(default_language)),
  ADD CONSTRAINT sites_timezone_is_iana_name CHECK (octet_length(timezone) <= 64 AND timezone ~ '^(UTC|[A-Z][A-Za-z_]+(/[A-Z][A-Za-z0-9_+-]*)+)$');

ALTER TABLE global_settings
  ADD CONSTRAINT global_settings_title_has_at_most_500_bytes CHECK (octet_length(title) <= 500),
  ADD CONSTRAINT global_settings_tagline_has_at_most_2000_bytes CHECK (octet_length(tagline) <= 2000),
  ADD CONSTRAINT global_settings_description_has_at_most_20000_bytes CHECK (octet_length(description) <= 20000),
  ADD CONSTRAINT global_settings_icon_url_is_url CHECK (is_url(icon_url)),
  ADD CONSTRAINT global_settings_theme_color_is_hex CHECK (theme_color ~ '^#[0-9a-fA-F]{6}$'),
  ADD CONSTRAINT global_settings_css_slug_is_slug CHECK (is_slug(css_slug)),
  ADD CONSTRAINT global_settings_css_version_is_version CHECK (css_version ~ '^[A-Za-z0-9._-]{1,40}$'),
  ADD CONSTRAINT global_settings_articles_per_page_is_1_to_100 CHECK (articles_per_page BETWEEN 1 AND 100),
  ADD CONSTRAINT global_settings_copyright_has_at_most_2000_bytes CHECK (octet_length(copyright) <= 2000),
  ADD CONSTRAINT global_settings_contact_email_has_at_most_500_bytes CHECK (octet_length(contact_email) <= 500),
  ADD CONSTRAINT global_settings_publisher_name_has_at_most_500_bytes CHECK (octet_length(publisher_name) <= 500),
  ADD CONSTRAINT global_settings_twitter_handle_has_at_most_500_bytes CHECK (octet_length(twitter_handle) <= 500),
  ADD CONSTRAINT global_settings_social_links_are_platforms_with_urls CHECK (is_social_links(social_links)),
  ADD CONSTRAINT global_settings_active_template_has_at_most_500_bytes CHECK (octet_length(active_template) <= 500),
  ADD CONSTRAINT global_settings_ads_txt_has_at_most_500000_bytes CHECK (octet_length(ads_txt) <= 500000),
  ADD CONSTRAINT global_settings_robots_txt_has_at_most_500000_bytes CHECK (octet_length(robots_txt) <= 500000);

ALTER TABLE site_settings
  ADD CONSTRAINT site_settings_title_has_at_most_500_bytes CHECK (octet_length(title) <= 500),
  ADD CONSTRAINT site_settings_tagline_has_at_most_2000_bytes CHECK (octet_length(tagline) <= 2000),
  ADD CONSTRAINT site_settings_description_has_at_most_20000_bytes CHECK (octet_length(description) <= 20000),
  ADD CONSTRAINT site_settings_icon_url_is_url CHECK (is_url(icon_url)),
  ADD CONSTRAINT site_settings_theme_color_is_hex CHECK (theme_color ~ '^#[0-9a-fA-F]{6}$'),
  ADD CONSTRAINT site_settings_css_slug_is_slug CHECK (is_slug(css_slug)),
  ADD CONSTRAINT site_settings_css_version_is_version CHECK (css_version ~ '^[A-Za-z0-9._-]{1,40}$'),
  ADD CONSTRAINT site_settings_articles_per_page_is_1_to_100 CHECK (articles_per_page BETWEEN 1 AND 100),
  ADD CONSTRAINT site_settings_copyright_has_at_most_2000_bytes CHECK (octet_length(copyright) <= 2000),
  ADD CONSTRAINT site_settings_contact_email_has_at_most_500_bytes CHECK (octet_length(contact_email) <= 500),
  ADD CONSTRAINT site_settings_publisher_name_has_at_most_500_bytes CHECK (octet_length(publisher_name) <= 500),
  ADD CONSTRAINT site_settings_twitter_handle_has_at_most_500_bytes CHECK (octet_length(twitter_handle) <= 500),
  ADD CONSTRAINT site_settings_social_links_are_platforms_with_urls CHECK (is_social_links(social_links)),
  ADD CONSTRAINT site_settings_active_template_has_at_most_500_bytes CHECK (octet_length(active_template) <= 500),
  ADD CONSTRAINT site_settings_ads_txt_has_at_most_500000_bytes CHECK (octet_length(ads_txt) <= 500000),
  ADD CONSTRAINT site_settings_robots_txt_has_at_most_500000_bytes CHECK (octet_length(robots_txt) <= 500000);

ALTER TABLE site_languages
  ADD CONSTRAINT site_languages_code_is_bcp47 CHECK (is_language(code)),
  ADD CONSTRAINT site_languages_name_has_at_most_500_bytes CHECK (octet_length(name) <= 500),
  ADD CONSTRAINT site_languages_labels_are_texts CHECK (is_labels(labels));

ALTER TABLE navigation_items
  ADD CONSTRAINT navigation_items_label_has_at_most_500_bytes CHECK (octet_length(label) <= 500),
  ADD CONSTRAINT navigation_items_path_is_url CHECK (is_url(path)),
  ADD CONSTRAINT navigation_items_language_is_bcp47 CHECK (is_language(language));

ALTER TABLE template_elements
  ADD CONSTRAINT template_elements_key_is_path CHECK (octet_length(key) <= 200 AND key ~ '^[^/\\\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff][^\\\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]*$'),
  ADD CONSTRAINT template_elements_title_has_at_most_500_bytes CHECK (octet_length(title) <= 500),
  ADD CONSTRAINT template_elements_source_has_at_most_500000_bytes CHECK (octet_length(source) <= 500000);

ALTER TABLE template_blocks
  ADD CONSTRAINT template_blocks_theme_has_at_most_500_bytes CHECK (octet_length(theme) <= 500),
  ADD CONSTRAINT template_blocks_language_is_bcp47 CHECK (is_language(language)),
  ADD CONSTRAINT template_blocks_source_has_at_most_500000_bytes CHECK (octet_length(source) <= 500000);

ALTER TABLE template_overrides
  ADD CONSTRAINT template_overrides_language_is_bcp47 CHECK (is_language(language)),
  ADD CONSTRAINT template_overrides_source_has_at_most_500000_bytes CHECK (octet_length(source) <= 500000);

ALTER TABLE categories
  ADD CONSTRAINT categories_slug_is_slug CHECK (is_slug(slug)),
  ADD CONSTRAINT categories_language_is_bcp47 CHECK (is_language(language)),
  ADD CONSTRAINT categories_name_has_at_most_500_bytes CHECK (octet_length(name) <= 500),
  ADD CONSTRAINT categories_description_has_at_most_20000_bytes CHECK (octet_length(description) <= 20000);

ALTER TABLE tags
  ADD CONSTRAINT tags_slug_is_slug CHECK (is_slug(slug)),
  ADD CONSTRAINT tags_language_is_bcp47 CHECK (is_language(language)),
  ADD CONSTRAINT tags_name_has_at_most_500_bytes CHECK (octet_length(name) <= 500);

ALTER TABLE authors
  ADD CONSTRAINT authors_slug_is_slug CHECK (is_slug(slug)),
  ADD CONSTRAINT authors_name_has_at_most_500_bytes CHECK (octet_length(name) <= 500),
  ADD CONSTRAINT authors_job_title_has_at_most_500_bytes CHECK (octet_length(job_title) <= 500),
  ADD CONSTRAINT authors_bio_html_has_at_most_100000_bytes CHECK (octet_length(bio_html) <= 100000),
  ADD CONSTRAINT authors_website_url_is_url CHECK (is_url(website_url)),
  ADD CONSTRAINT authors_social_links_are_urls CHECK (is_url_list(social_links)),
  ADD CONSTRAINT authors_expertise_are_names CHECK (is_name_list(expertise));

ALTER TABLE images
  ADD CONSTRAINT images_key_is_object_key CHECK (is_object_key(key)),
  ADD CONSTRAINT images_alt_has_at_most_2000_bytes CHECK (octet_length(alt) <= 2000),
  ADD CONSTRAINT images_size_is_positive CHECK (width > 0 AND height > 0),
  ADD CONSTRAINT images_mime_type_is_media_type CHECK (octet_length(mime_type) <= 100 AND mime_type ~ '^[a-z]+/[a-z0-9.+-]+$'),
  ADD CONSTRAINT images_caption_has_at_most_20000_bytes CHECK (octet_length(caption) <= 20000),
  ADD CONSTRAINT images_credit_has_at_most_500_bytes CHECK (octet_length(credit) <= 500),
  ADD CONSTRAINT images_variants_are_keys_with_widths CHECK (is_variants(variants));

ALTER TABLE articles
  ADD CONSTRAINT articles_slug_is_slug CHECK (is_slug(slug)),
  ADD CONSTRAINT articles_slug_is_not_reserved CHECK (slug NOT IN (
    'search', 'archive', 'category', 'author', 'sitemap', 'cmp-media', 'aa', 'ab', 'ae', 'af', 'ak', 'am', 'an',
    'ar', 'as', 'av', 'ay', 'az', 'ba', 'be', 'bg', 'bi', 'bm', 'bn', 'bo', 'br', 'bs', 'ca', 'ce', 'ch', 'co',
    'cr', 'cs', 'cu', 'cv', 'cy', 'da', 'de', 'dv', 'dz', 'ee', 'el', 'en', 'eo', 'es', 'et', 'eu', 'fa', 'ff',
    'fi', 'fj', 'fo', 'fr', 'fy', 'ga', 'gd', 'gl', 'gn', 'gu', 'gv', 'ha', 'he', 'hi', 'ho', 'hr', 'ht', 'hu',
    'hy', 'hz', 'ia', 'id', 'ie', 'ig', 'ii', 'ik', 'io', 'is', 'it', 'iu', 'ja', 'jv', 'ka', 'kg', 'ki', 'kj',
    'kk', 'kl', 'km', 'kn', 'ko', 'kr', 'ks', 'ku', 'kv', 'kw', 'ky', 'la', 'lb', 'lg', 'li', 'ln', 'lo', 'lt',
    'lu', 'lv', 'mg', 'mh', 'mi', 'mk', 'ml', 'mn', 'mr', 'ms', 'mt', 'my', 'na', 'nb', 'nd', 'ne', 'ng', 'nl',
    'nn', 'no', 'nr', 'nv', 'ny', 'oc', 'oj', 'om', 'or', 'os', 'pa', 'pi', 'pl', 'ps', 'pt', 'qu', 'rm', 'rn',
    'ro', 'ru', 'rw', 'sa', 'sc', 'sd', 'se', 'sg', 'si', 'sk', 'sl', 'sm', 'sn', 'so', 'sq', 'sr', 'ss', 'st',
    'su', 'sv', 'sw', 'ta', 'te', 'tg', 'th', 'ti', 'tk', 'tl', 'tn', 'to', 'tr', 'ts', 'tt', 'tw', 'ty', 'ug',
    'uk', 'ur', 'uz', 've', 'vi', 'vo', 'wa', 'wo', 'xh', 'yi', 'yo', 'za', 'zh', 'zu')),
  ADD CONSTRAINT articles_language_is_bcp47 CHECK (is_language(language)),
  ADD CONSTRAINT articles_content_type_has_at_most_500_bytes CHECK (octet_length(content_type) <= 500),
  ADD CONSTRAINT articles_title_has_at_most_2000_bytes CHECK (octet_length(title) <= 2000),
  ADD CONSTRAINT articles_subtitle_has_at_most_2000_bytes CHECK (octet_length(subtitle) <= 2000),
  ADD CONSTRAINT articles_description_has_at_most_20000_bytes CHECK (octet_length(description) <= 20000),
  ADD CONSTRAINT articles_body_html_has_at_most_2000000_bytes CHECK (octet_length(body_html) <= 2000000),
  ADD CONSTRAINT articles_word_count_is_not_negative CHECK (word_count >= 0),
  ADD CONSTRAINT articles_seo_title_has_at_most_2000_bytes CHECK (octet_length(seo_title) <= 2000),
  ADD CONSTRAINT articles_seo_description_has_at_most_20000_bytes CHECK (octet_length(seo_description) <= 20000),
  ADD CONSTRAINT articles_seo_canonical_url_is_url CHECK (is_url(seo_canonical_url)),
  ADD CONSTRAINT articles_seo_robots_has_at_most_500_bytes CHECK (octet_length(seo_robots) <= 500),
  ADD CONSTRAINT articles_published_at_is_1970_to_9999 CHECK (is_instant(published_at)),
  ADD CONSTRAINT articles_created_at_is_1970_to_9999 CHECK (is_instant(created_at)),
  ADD CONSTRAINT articles_updated_at_is_1970_to_9999 CHECK (is_instant(updated_at));

ALTER TABLE article_versions
  ADD CONSTRAINT article_versions_snapshot_fits_articles CHECK (is_snapshot(snapshot));

-- Languages are compared without regard to case, so they are stored in lower case.
CREATE FUNCTION lower_language() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.language := lower(NEW.language);
  RETURN NEW;
END
$$;
CREATE FUNCTION lower_code() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.code := lower(NEW.code);
  RETURN NEW;
END
$$;
CREATE FUNCTION lower_default_language() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.default_language := lower(NEW.default_language);
  RETURN NEW;
END
$$;
DO $$
DECLARE
  lowered record;
BEGIN
  FOR lowered IN SELECT * FROM (VALUES
    ('articles', 'language'), ('categories', 'language'), ('tags', 'language'), ('navigation_items', 'language'),
    ('template_blocks', 'language'), ('template_overrides', 'language'), ('site_languages', 'code'),
    ('sites', 'default_language')
  ) AS list (name, col)
  LOOP
    EXECUTE format('CREATE TRIGGER %1$s_lower_language BEFORE INSERT OR UPDATE OF %2$s ON %1$s
      FOR EACH ROW WHEN (NEW.%2$s <> lower(NEW.%2$s)) EXECUTE FUNCTION lower_%2$s()', lowered.name, lowered.col);
  END LOOP;
END
$$;

-- A row may refer only to rows of the same site. If the other row is deleted, only the reference becomes
-- null, not site_id.
CREATE UNIQUE INDEX "categories_site_id_id_key" ON "categories"("site_id", "id");
CREATE UNIQUE INDEX "authors_site_id_id_key" ON "authors"("site_id", "id");
CREATE UNIQUE INDEX "articles_site_id_id_key" ON "articles"("site_id", "id");
CREATE UNIQUE INDEX "article_scores_site_id_article_id_key" ON "article_scores"("site_id", "article_id");
ALTER TABLE categories DROP CONSTRAINT categories_parent_id_fkey,
  ADD CONSTRAINT categories_parent_in_site FOREIGN KEY (site_id, parent_id) REFERENCES categories (site_id, id)
    ON DELETE SET NULL (parent_id);
ALTER TABLE articles DROP CONSTRAINT articles_category_id_fkey, DROP CONSTRAINT articles_author_id_fkey,
  ADD CONSTRAINT articles_category_in_site FOREIGN KEY (site_id, category_id) REFERENCES categories (site_id, id)
    ON DELETE SET NULL (category_id),
  ADD CONSTRAINT articles_author_in_site FOREIGN KEY (site_id, author_id) REFERENCES authors (site_id, id)
    ON DELETE SET NULL (author_id);
ALTER TABLE article_scores DROP CONSTRAINT article_scores_article_id_fkey,
  ADD CONSTRAINT article_scores_article_in_site FOREIGN KEY (site_id, article_id) REFERENCES articles (site_id, id)
    ON DELETE CASCADE ON UPDATE CASCADE;

-- Pictures may be shared by all sites, and article_tags has no site_id. So triggers check these references.
-- Their errors have the same form as those of constraints.
CREATE FUNCTION refuse_reference(tbl text, rule text, id integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'new row for relation "%" violates check constraint "%"', tbl, rule
    USING ERRCODE = 'check_violation', CONSTRAINT = rule, TABLE = tbl,
      DETAIL = format('Row %s refers to a row of another site, or another site refers to it.', id);
END
$$;

CREATE FUNCTION check_images() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  given jsonb := to_jsonb(NEW);
BEGIN
  PERFORM FROM images WHERE site_id <> NEW.site_id
    AND id IN ((given ->> 'image_id')::integer, (given ->> 'seo_image_id')::integer, (given ->> 'logo_id')::integer,
      (given ->> 'social_image_id')::integer);
  IF FOUND THEN
    PERFORM refuse_reference(TG_TABLE_NAME, TG_ARGV[0], coalesce((given ->> 'id')::integer, NEW.site_id));
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER articles_images_in_site AFTER INSERT OR UPDATE OF site_id, image_id, seo_image_id ON articles
  FOR EACH ROW WHEN (NEW.image_id IS NOT NULL OR NEW.seo_image_id IS NOT NULL)
  EXECUTE FUNCTION check_images('articles_images_in_site');
CREATE TRIGGER authors_image_in_site AFTER INSERT OR UPDATE OF site_id, image_id ON authors
  FOR EACH ROW WHEN (NEW.image_id IS NOT NULL) EXECUTE FUNCTION check_images('authors_image_in_site');
CREATE TRIGGER site_settings_images_in_site AFTER INSERT OR UPDATE OF site_id, logo_id, social_image_id ON site_settings
  FOR EACH ROW WHEN (NEW.logo_id IS NOT NULL OR NEW.social_image_id IS NOT NULL)
  EXECUTE FUNCTION check_images('site_settings_images_in_site');

CREATE FUNCTION check_article_tags() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  broken integer;
BEGIN
  SELECT c.article_id INTO broken FROM current AS c JOIN articles AS a ON a.id = c.article_id
    JOIN tags AS t ON t.id = c.tag_id WHERE t.site_id <> a.site_id LIMIT 1;
  IF FOUND THEN
    PERFORM refuse_reference('article_tags', 'article_tags_in_site', broken);
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER article_tags_in_site_insert AFTER INSERT ON article_tags REFERENCING NEW TABLE AS current
  FOR EACH STATEMENT EXECUTE FUNCTION check_article_tags();
CREATE TRIGGER article_tags_in_site_update AFTER UPDATE ON article_tags REFERENCING NEW TABLE AS current
  FOR EACH STATEMENT EXECUTE FUNCTION check_article_tags();

-- The opposite direction: a row that others refer to gets another site.
CREATE FUNCTION check_move() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'images' AND (
      EXISTS (SELECT FROM articles AS a WHERE NEW.id IN (a.image_id, a.seo_image_id) AND a.site_id <> NEW.site_id)
      OR EXISTS (SELECT FROM authors AS a WHERE a.image_id = NEW.id AND a.site_id <> NEW.site_id)
      OR EXISTS (SELECT FROM site_settings AS s WHERE NEW.id IN (s.logo_id, s.social_image_id) AND s.site_id <> NEW.site_id))
    OR TG_TABLE_NAME = 'tags' AND EXISTS (SELECT FROM article_tags AS l JOIN articles AS a ON a.id = l.article_id
      WHERE l.tag_id = NEW.id AND a.site_id <> NEW.site_id)
    OR TG_TABLE_NAME = 'articles' AND EXISTS (SELECT FROM article_tags AS l JOIN tags AS t ON t.id = l.tag_id
      WHERE l.article_id = NEW.id AND t.site_id <> NEW.site_id)
  THEN
    PERFORM refuse_reference(TG_TABLE_NAME, TG_ARGV[0], NEW.id);
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER images_site_of_references AFTER UPDATE OF site_id ON images
  FOR EACH ROW WHEN (NEW.site_id IS DISTINCT FROM OLD.site_id) EXECUTE FUNCTION check_move('images_site_of_references');
CREATE TRIGGER tags_site_of_articles AFTER UPDATE OF site_id ON tags
  FOR EACH ROW WHEN (NEW.site_id <> OLD.site_id) EXECUTE FUNCTION check_move('tags_site_of_articles');
CREATE TRIGGER articles_site_of_tags AFTER UPDATE OF site_id ON articles
  FOR EACH ROW WHEN (NEW.site_id <> OLD.site_id) EXECUTE FUNCTION check_move('articles_site_of_tags');
